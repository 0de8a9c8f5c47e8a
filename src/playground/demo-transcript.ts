/** What the demo model makes of a transcript: the errand that it is on, and how each question of it ended. */
import type { WireCall, WireMessage } from './model-request.ts';

export type Outcome =
  | { kind: 'answered'; labels: string[]; text?: string }
  | { kind: 'skipped' }
  | { kind: 'superseded'; text: string }
  | { kind: 'expired'; after: string }
  | { kind: 'cancelled' }
  /** The question could not be asked, or what came back is nothing that we know. */
  | { kind: 'failed'; reason: string };

export type Errand = {
  /** What the person wrote that began it. */
  command: string;
  /** How the questions of this errand ended, by their text. */
  outcomes: ReadonlyMap<string, Outcome>;
  /** Results of other tools, by the tool's name. */
  results: ReadonlyMap<string, string>;
  /** What was said beside it since the last step. */
  remarks: string[];
  /** Nothing was said by the model before in this thread. */
  first: boolean;
  /** What stood in the thread before the message that began it, a line each, with who said it. */
  above: string[];
  /** Names of the files that came with it and could be read. */
  files: string[];
};

/** `isCommand`: whether a text begins an errand of its own even in the middle of another. */
export function readErrand(messages: readonly WireMessage[], isCommand: (text: string) => boolean): Errand {
  let outcomes = new Map<string, Outcome>();
  let results = new Map<string, string>();
  let errand = { command: '', remarks: [] as string[] };
  let above: string[] = [];
  let files: string[] = [];
  let open: WireCall[] = [];
  /** The next message of a person begins an errand, whatever it says. */
  let idle = true;

  const begin = (command: string) => {
    outcomes = new Map();
    results = new Map();
    errand = { command, remarks: [] };
    idle = false;
  };

  for (const message of messages) {
    switch (message.role) {
      case 'user': {
        const { words: said, names } = readWords(textOf(message.content));
        files.push(...names);
        const quoted = readQuoted(said);
        if (quoted) above = quoted;
        else if (/^\[[^\n]*\]$/.test(said)) break;
        else if (idle || isCommand(said)) begin(said);
        else errand.remarks.push(said);
        break;
      }
      case 'assistant':
        open = message.tool_calls ?? [];
        errand.remarks = [];
        above = [];
        files = [];
        idle = open.length === 0;
        break;
      case 'tool': {
        const call = open.find(({ id }) => id === message.tool_call_id);
        const result = textOf(message.content);
        if (call?.function.name !== 'ask_user') {
          results.set(call?.function.name ?? '', result);
          break;
        }
        const outcome = readOutcome(result);
        outcomes.set(questionOf(call), outcome);
        // Stopped: what is said next is no remark on an errand that nobody wants any more.
        if (outcome.kind === 'cancelled') idle = true;
        // A word of command in place of a pick: the person has changed their mind.
        if (outcome.kind === 'superseded' && isCommand(outcome.text)) begin(outcome.text);
        break;
      }
      case 'system':
      case 'developer':
        break;
    }
  }
  return { ...errand, above, files, outcomes, results, first: !messages.some(({ role }) => role === 'assistant') };
}

/** Without the line that says who speaks, the message that is asked about, and what is in files: the person did not say that. */
function readWords(said: string): { words: string; names: string[] } {
  const names: string[] = [];
  const named = (_: string, name: string) => {
    names.push(name);
    return '';
  };
  const words = said
    .replace(/^\[From [^\n]*\]\n/, '')
    .replace(/^\[About this message [^\n]*\]\n(?:>[^\n]*\n)+\n/, '')
    .replace(/\n\[The file ([^\n]*):\]\n(`{3,})\n[\s\S]*?\n\2(?=\n|$)/g, named)
    .replace(/\n\[The image ([^\n]*) belongs to this message\.\](?=\n|$)/g, named);
  return { words, names };
}

/** The lines of a message that quotes the thread; undefined: it is none. */
function readQuoted(said: string): string[] | undefined {
  const [head = '', ...lines] = said.split('\n');
  if (!head.startsWith('[Said in this thread before')) return undefined;
  return lines.filter((line) => line.startsWith('> ')).map((line) => line.slice(2));
}

function readOutcome(result: string): Outcome {
  const starts = (prefix: string) => (result.startsWith(prefix) ? result.slice(prefix.length) : undefined);
  const selected = starts('User selected: ');
  if (selected !== undefined) {
    const [, picked = selected, text] = /^([\s\S]*?)\nUser note: ([\s\S]*)$/.exec(selected) ?? [];
    return { kind: 'answered', labels: labelsOf(picked), ...(text !== undefined && { text }) };
  }
  const responded = starts('User responded: ');
  if (responded !== undefined) return { kind: 'answered', labels: [], text: responded };
  const wrote = starts('User did not pick an option. They wrote: ');
  if (wrote !== undefined) return { kind: 'superseded', text: wrote };
  if (starts('User dismissed') !== undefined) return { kind: 'skipped' };
  if (starts('The question was cancelled') !== undefined) return { kind: 'cancelled' };
  const after = /^Nobody answered within (.*)\.$/.exec(result)?.[1];
  if (after !== undefined) return { kind: 'expired', after };
  return { kind: 'failed', reason: starts('The question could not be shown: ') ?? result };
}

/** Several labels come as a JSON array; one comes as it is, and may look like anything. */
function labelsOf(picked: string): string[] {
  try {
    const value: unknown = JSON.parse(picked);
    if (Array.isArray(value) && value.every((label) => typeof label === 'string')) return value;
  } catch {
    // One label.
  }
  return [picked];
}

function questionOf(call: WireCall): string {
  try {
    const args: unknown = JSON.parse(call.function.arguments);
    return typeof args === 'object' && args !== null && 'question' in args ? String(args.question) : '';
  } catch {
    return '';
  }
}

function textOf(content: string | unknown[]): string {
  if (typeof content === 'string') return content;
  return content
    .map((part) => (typeof part === 'object' && part !== null && 'text' in part ? String(part.text) : ''))
    .join('');
}
