/**
 * The demo's model: a script that says so. It decides from the transcript alone, so that it goes on after any restart, as a real
 * model does. The only thing that it remembers is which transcripts "fail" has failed on, so that a retry can be seen to help.
 */
import { deploy } from './demo-deployment.ts';
import { answerOf, ask, ended, inWords, type Next, outcomesOf, type Question } from './demo-questions.ts';
import { type Errand, readErrand } from './demo-transcript.ts';
import type { ScriptRequest } from './model-request.ts';
import { events, type Reply, type Script } from './model-server.ts';

const label =
  '_I am a **scripted demo model**, not an AI: there is no `OPENAI_API_KEY`. The questions, the buttons and the waiting are real._';

const tips = `Try one of these:
- **deploy the billing service**: a whole story, with each kind of question
- **ask @Imani whether we can ship on Friday**: somebody else is asked, and only they can answer
- **menu**, **choice**, **many**, **free** or **two**: one kind of question
- **long**, **slow** or **fail**: a long reply, a slow one, and one that fails at first

While a question is open you can restart me, or kill me: I go on where I stopped.`;

type Command = { pattern: RegExp; next: (errand: Errand, request: ScriptRequest) => Next };

const MENTION = /<(?:@|!subteam\^)[A-Z0-9]+(?:\|[^<>]*)?>/g;
const ASK_OTHERS = /\bask\b[^<\n]*<(?:@|!subteam\^)[A-Z0-9]/i;

const commands: Command[] = [
  // First: what somebody else is asked may have any other word of command in it.
  { pattern: ASK_OTHERS, next: others },
  { pattern: /\b(deploy|release|roll ?out|ship)\b/i, next: deploy },
  { pattern: /\bmenu\b/i, next: (errand) => single(errand, menu) },
  { pattern: /\bchoice\b/i, next: (errand) => single(errand, choice) },
  { pattern: /\bmany\b/i, next: (errand) => single(errand, many) },
  { pattern: /\bfree\b/i, next: (errand) => single(errand, free) },
  { pattern: /\btwo\b/i, next: two },
  { pattern: /\blong\b/i, next: () => ({ text: longReply() }) },
  { pattern: /\bslow\b/i, next: () => ({ text: slowReply, think: 4_000, pace: 400 }) },
];
const failing = /\bfail\b/i;
const farewell = /\b(thanks?|thank you|cheers|bye)\b/i;

const isCommand = (text: string) => [...commands.map(({ pattern }) => pattern), failing].some((p) => p.test(text));

const KEPT = 100;

export function createDemoScript(): Script {
  const failed = new Set<string>();
  return (request) => {
    const errand = readErrand(request.messages, isCommand);
    if (failing.test(errand.command)) {
      const transcript = JSON.stringify(request.messages);
      if (!failed.delete(transcript)) {
        failed.add(transcript);
        for (const oldest of failed) if (failed.size > KEPT) failed.delete(oldest);
        return breakdown;
      }
    }
    return toReply(decide(errand, request), errand);
  };
}

function decide(errand: Errand, request: ScriptRequest): Next {
  const canAsk = request.tools.some(({ name }) => name === 'ask_user');
  const command = commands.find(({ pattern }) => pattern.test(errand.command));
  if (failing.test(errand.command)) return { text: 'That worked, at the second attempt. Nothing was lost in between.' };
  if (!command) return { text: farewell.test(errand.command) ? 'You are welcome.' : `Hello! ${tips}` };
  if (!canAsk)
    return { text: 'I have nobody to ask: this agent has no `ask_user` tool, and my whole script is asking.' };
  return command.next(errand, request);
}

/** Text is cut into small deltas with a pause after each, so that it reads as if somebody wrote it. */
function toReply(next: Next, errand: Errand): Reply {
  const heard = errand.remarks.map((remark) => `I have read what you wrote meanwhile: “${inWords(remark)}”.`);
  const last = errand.above.at(-1);
  const read = last === undefined ? [] : [`I have read what stands above; the last of it is “${inWords(last)}”.`];
  const files = errand.files.map((name) => `I have got the file “${inWords(name)}”.`);
  const text = [...(errand.first ? [label] : []), ...read, ...files, ...heard, ...(next.text ? [next.text] : [])].join(
    '\n\n',
  );
  const asked = errand.outcomes.size + errand.results.size;
  return {
    type: 'answer',
    text,
    // Long replies would take minutes at the pace of short ones.
    pace: next.pace ?? Math.min(30, 2_000 / (1 + text.length / 10)),
    think: next.think ?? 250,
    ...(next.calls && {
      calls: next.calls.map((call, i) => ({ id: `demo_${asked + i + 1}`, name: call.tool, arguments: call.args })),
    }),
    usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
  };
}

/** Breaks after it has begun, which no client may repeat by itself. */
const breakdown: Reply = {
  type: 'raw',
  parts: [
    events({ choices: [{ index: 0, delta: { content: 'Let me look at that' } }] }),
    { wait: 400 },
    events({ error: { message: 'The scripted model fails on purpose.', type: 'server_error', code: 500 } }),
  ],
};

/** An errand of one question. */
function single(errand: Errand, question: Question): Next {
  const outcome = errand.outcomes.get(question.question);
  if (!outcome) return { calls: [ask(question)] };
  return { text: `${ended(outcome)}\n\n${again}` };
}

const again = 'Ask for **deploy**, **menu**, **choice**, **many**, **free** or **two** to go on.';

const capital = (text: string) => text.replace(/^./u, (first) => first.toUpperCase());

/** Puts it to whoever is mentioned, as a yes or no. */
function others({ command, outcomes }: Errand): Next {
  const order = command.slice(command.search(ASK_OTHERS));
  const to = order.match(MENTION) ?? [];
  const about = order.slice(order.lastIndexOf('>') + 1).replace(/^\W*(whether|if|about)?\s*/i, '');
  const question: Question = {
    question:
      about.trim() === '' ? 'Is that all right?' : `${capital(inWords(about).replace(/[?.!]*$/, ''))}: yes or no?`,
    options: [{ label: 'Yes' }, { label: 'No' }],
    selectionMode: 'single_select',
    allowFreeform: true,
    to,
  };
  const outcome = outcomes.get(question.question);
  if (!outcome) return { text: `I ask ${to.join(' and ')}.`, calls: [ask(question)] };
  if (outcome.kind === 'answered') return { text: `The answer is: ${answerOf(outcome)}.\n\n${again}` };
  return {
    text: `There is no answer (${answerOf(outcome)}${outcome.kind === 'failed' ? `: ${inWords(outcome.reason)}` : ''}).\n\n${again}`,
  };
}

function two(errand: Errand): Next {
  const questions = [drink, cake];
  const { open, known } = outcomesOf(errand, questions);
  if (open.length > 0) return { text: 'Two things at once, in any order:', calls: open.map(ask) };
  const lines = known.map(({ question, outcome }) => `- ${question.question} ${ended(outcome)}`);
  return { text: ['You answered both:', ...lines, '', again].join('\n') };
}

const menu: Question = {
  question: 'Which region should it run in?',
  options: [
    ['eu-north', 'Stockholm'],
    ['eu-west', 'Dublin'],
    ['eu-central', 'Frankfurt'],
    ['eu-south', 'Milan'],
    ['us-east', 'Virginia'],
    ['us-central', 'Iowa'],
    ['us-west', 'Oregon'],
    ['ca-central', 'Montréal'],
    ['sa-east', 'São Paulo'],
    ['ap-south', 'Mumbai'],
    ['ap-southeast', 'Singapore'],
    ['ap-northeast', '東京 (Tokyo)'],
  ].map(([region = '', city = '']) => ({ label: region, description: city })),
  selectionMode: 'single_select',
  allowFreeform: false,
};

const choice: Question = {
  question: 'How should the report be sent?',
  options: [
    { label: 'Short', description: 'Three sentences and one number' },
    { label: 'Full', description: 'Everything, with the tables' },
    { label: 'Not at all' },
  ],
  selectionMode: 'single_select',
  allowFreeform: true,
};

const many: Question = {
  question: 'Which days should the backup run on?',
  options: Array.from({ length: 28 }, (_, day) => ({ label: `Day ${day + 1}` })),
  selectionMode: 'multi_select',
  allowFreeform: false,
};

const free: Question = { question: 'What is the one thing that nobody told the new colleague yet?' };

const drink: Question = {
  question: 'What should there be to drink?',
  options: [{ label: 'Coffee' }, { label: 'Tea' }, { label: 'Water' }],
  selectionMode: 'single_select',
  allowFreeform: true,
};

const cake: Question = {
  question: 'And which cakes?',
  options: [{ label: 'Apple' }, { label: 'Carrot' }, { label: 'Cheese' }, { label: 'None' }],
  selectionMode: 'multi_select',
  allowFreeform: false,
};

const slowReply =
  'This reply takes its time, on purpose. It comes word by word, so that there is a moment to stop me, to restart me or to write something else.';

/** Longer than one Slack message holds; with a code block and a table where a careless split would break them. */
function longReply(): string {
  const paragraph = (n: number) =>
    `## Part ${n}\n\nThis is part ${n} of a long reply. It says little, but it says it at length, so that it has to be split: at a paragraph where that is possible, never within a word, and never so that a block of code loses its frame.`;
  const code = Array.from({ length: 90 }, (_, i) => `step_${i + 1}() { echo "line ${i + 1} of one long block"; }`);
  const rows = Array.from({ length: 20 }, (_, i) => `| check ${i + 1} | ${i % 5 === 3 ? 'slow' : 'fine'} |`);
  return [
    '# A long reply',
    ...Array.from({ length: 12 }, (_, i) => paragraph(i + 1)),
    ['```sh', ...code, '```'].join('\n'),
    ['| check | result |', '|---|---|', ...rows].join('\n'),
    ...Array.from({ length: 12 }, (_, i) => paragraph(i + 13)),
    'That was the end of it.',
  ].join('\n\n');
}
