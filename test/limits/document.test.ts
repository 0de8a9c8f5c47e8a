/** docs/limits.md is these tables: `npx vitest run test/limits -u` writes it anew. */
import { expect, test } from 'vitest';
import { ownLimits } from './own-limits.ts';
import { limitAt, slackLimits } from './slack-limits.ts';

const amount = (limit: number, unit: string) => `${limit.toLocaleString('en')}${unit === '' ? '' : ` ${unit}`}`;
const table = (heads: string[], rows: string[][]) =>
  [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

function source({ source, stricter }: (typeof slackLimits)[number]): string {
  const url =
    /^[a-z]/.test(source) && !source.startsWith('bolt-js')
      ? `[${source}](https://docs.slack.dev/reference/${source})`
      : source;
  return stricter === undefined ? url : `${url} (${stricter}; the stricter counts)`;
}

test('docs/limits.md says just this', async () => {
  const own = ownLimits.map(
    ({ title, rows }) =>
      `### ${title}\n\n${table(
        ['', 'at most', 'one more'],
        rows.map(({ what, limit, unit, beyond }) => [what, amount(limit, unit), beyond]),
      )}`,
  );
  const slack = table(
    ['', 'at most', 'source'],
    slackLimits.map((row) => [row.what, amount(limitAt(row.path), row.unit), source(row)]),
  );
  await expect(`# Limits

Every limit, and what happens to one more. \`test/limits\` tries each with what meets it exactly and with what passes it by one, by the
real views and two validators (the bot's own and the playground's, which know nothing of one another), and writes this page.

Cosmetic limits are met when a card is drawn, never by refusing or dropping: what is shortened on a control is whole in the card.

## Ours

${own.join('\n\n')}

Streams, in time: a message goes on in a new one at the first paragraph after 240 s, and is ended at 280 s, since Slack ends a stream after
300 s (observed); 15 begin a minute (Slack takes 20); five messages of a reply are seen as they grow, and the rest is posted. These are
tried on a clock of their own in \`test/slack/stream-preview.test.ts\` and end to end in \`test/e2e/streaming.test.ts\`.

## Slack's

No view leaves that breaks one of these.

${slack}
`).toMatchFileSnapshot('../../docs/limits.md');
});
