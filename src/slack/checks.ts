/** What a check of a view is made of. A problem is reported and the check goes on, so that one look tells all of them. */

/** `pointer`: a JSON pointer into what was checked. `message`: in the words of Slack's own errors where it has some. */
export type Problem = { pointer: string; message: string };

export type Node = { readonly [key: string]: unknown };
export type Report = (pointer: string, message: string) => void;

export function collect(check: (report: Report) => void): Problem[] {
  const problems: Problem[] = [];
  check((pointer, message) => problems.push({ pointer, message }));
  return problems;
}

export type TextRule = { max: number; plain?: boolean };

export function checkText(value: unknown, at: string, { max, plain = false }: TextRule, report: Report): void {
  const text = asNode(value);
  const types = plain ? ['plain_text'] : ['plain_text', 'mrkdwn'];
  if (!types.includes(String(text.type))) report(`${at}/type`, `must be one of: ${types.join(', ')}`);
  checkString(text.text, `${at}/text`, { max }, report);
  if (text.type === 'mrkdwn') checkBroadcast(text.text, `${at}/text`, report);
}

export function checkString(value: unknown, at: string, { max }: { max: number }, report: Report): void {
  if (typeof value !== 'string') report(at, 'must provide a string');
  else if (value.length === 0) report(at, 'must be more than 0 characters');
  else if (value.length > max) report(at, `must be less than ${max + 1} characters`);
}

export function checkOptional(value: unknown, at: string, max: number, report: Report): void {
  if (value !== undefined) checkString(value, at, { max }, report);
}

/** Not a rule of Slack's but of ours: whatever a model or a person wrote, no message notifies a whole channel. */
export function checkBroadcast(value: unknown, at: string, report: Report): void {
  if (/<!\s*(channel|here|everyone|group|subteam)/i.test(String(value))) report(at, 'has a live broadcast in it');
}

type Count = { min?: number; max: number };

export function checkItems(value: unknown, at: string, { min = 1, max }: Count, report: Report): readonly Node[] {
  const items = Array.isArray(value) ? value.map(asNode) : [];
  if (!Array.isArray(value)) report(at, 'must provide an array');
  else if (items.length < min) report(at, `must have at least ${min} items`);
  else if (items.length > max) report(at, `no more than ${max} items allowed`);
  return items;
}

export function each(value: unknown, at: string, count: Count, report: Report): [Node, string][] {
  return checkItems(value, at, count, report).map((item, index) => [item, `${at}/${index}`]);
}

export function asNode(value: unknown): Node {
  return typeof value === 'object' && value !== null ? (value as Node) : {};
}
