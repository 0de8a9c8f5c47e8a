/** The story, in chapters of a thread each: what is asked for, what the model says, what people do, and what must have come of it. */
import type { Script, ScriptedCall } from '../../src/playground/model-server.ts';
import type { People } from './people.ts';
import { mara, tomas } from './shown.ts';

export type Scene = {
  people: People;
  channel: string;
  /** The thread's ts. */
  thread: string;
  /** The first words that are for the bot. */
  words: string;
  /** The world's clock goes on by `ms`, for Slack and the bot alike, once nobody is at work. */
  later(ms: number): Promise<void>;
  /** Says what is no answer, to be read once with the answers; resolves when the bot has it, though it was told twice. */
  remark(as: string, text: string): Promise<void>;
  /** The model works again. */
  mend(): void;
};

export type Chapter = {
  name: string;
  /** By this the model knows its script. */
  mention: string;
  /** Who is mentioned before that. */
  naming?: string;
  /** The thread begins with these words of a colleague's, which are not for the bot. */
  opening?: string;
  /** The model refuses until it is mended. */
  down?: true;
  steps: ScriptedCall[][];
  /** What the bot says last. */
  reply: string;
  /** What it says besides, once each. */
  also?: RegExp[];
  /** By the person: the last word on the reply. */
  thumbs?: Record<string, 'good' | 'bad'>;
  /** ms between the words of the reply: slow enough, and it is seen as it grows. */
  pace?: number;
  act(scene: Scene): Promise<void>;
  /** By the question: what its receipt shows. */
  cards: Record<string, RegExp>;
  /** By the question: what the direct message to whom it was put shows. */
  told?: Record<string, RegExp>;
  /** What the model reads of its calls, in their order. */
  results: (string | RegExp)[];
};

/** The questions expire after this time of the world's. */
export const EXPIRY = 3_600_000;

const call = (name: string, args: object = {}): ScriptedCall => ({ name, arguments: args });
const ask = (question: string, labels: string[] = [], more: object = {}): ScriptedCall =>
  call('ask_user', {
    question,
    ...(labels.length > 0 && { options: labels.map((label) => ({ label })) }),
    ...more,
  });
const several = { selectionMode: 'multi_select' };
const regions = ['Dublin', 'Frankfurt', 'London', 'Milan', 'Oslo', 'Paris', 'Stockholm', 'Zurich'];
const teams = Array.from({ length: 12 }, (_, i) => `Team ${i + 1}`);

/** A side effect whose process died is told as such; the sweep counts what really happened. */
const interrupted = 'This call was interrupted and its outcome is unknown';
const effect = (tool: string) => new RegExp(`^(${tool}: done$|${interrupted})`);
const heldBack = /^Not executed: in the same step a person was asked/;

export const chapters: Chapter[] = [
  {
    name: 'tools and buttons',
    mention: 'deploy billing',
    steps: [[call('look_up'), call('deploy')], [ask('Where to?', ['staging', 'production'])], [call('announce')]],
    reply: 'Billing is deployed.',
    async act({ people, thread }) {
      await people.press(mara, await people.card(thread, 'Where to?'), 'staging');
    },
    cards: { 'Where to?': /Answered.*staging|staging.*Answered/s },
    results: ['version 7', effect('deploy'), 'User selected: staging', effect('announce')],
  },
  {
    name: 'two at once',
    mention: 'plan the release',
    steps: [
      [
        ask('Which parts?', ['api', 'web', 'worker'], several),
        ask('Which region?', regions, { allowFreeform: false }),
        call('deploy'),
      ],
      [call('deploy')],
    ],
    reply: 'The release is planned.',
    async act({ people, thread, remark }) {
      const parts = await people.card(thread, 'Which parts?');
      const region = await people.card(thread, 'Which region?');
      await remark(mara, 'and mind the queue');
      await people.submit(mara, parts, 'checkboxes', ['api', 'worker']);
      await people.pick(mara, region, 'Oslo');
    },
    cards: { 'Which parts?': /Answered/, 'Which region?': /Answered/ },
    results: ['User selected: ["api","worker"]', 'User selected: Oslo', heldBack, effect('deploy')],
  },
  {
    name: 'in words',
    mention: 'write the notes',
    steps: [
      [ask('What changed?')],
      [ask('Who reads it?', ['customers', 'staff'])],
      [ask('Which teams?', teams, { ...several, allowFreeform: false })],
    ],
    reply: 'The notes are written.',
    async act({ people, thread }) {
      await people.write(mara, await people.card(thread, 'What changed?'), 'Answer…', 'The ledger,\nand the queue.');
      await people.write(mara, await people.card(thread, 'Who reads it?'), 'Other…', 'the auditors');
      await people.submit(mara, await people.card(thread, 'Which teams?'), 'multi_static_select', [
        'Team 2',
        'Team 11',
      ]);
    },
    cards: {
      'What changed?': /Answered/,
      'Who reads it?': /Answered.*auditors|auditors.*Answered/s,
      'Which teams?': /Answered/,
    },
    results: [
      'User responded: The ledger,\nand the queue.',
      'User responded: the auditors',
      'User selected: ["Team 2","Team 11"]',
    ],
  },
  {
    name: 'typed, skipped, expired',
    mention: 'clean up',
    steps: [
      [ask('Which cluster?', ['eu-west', 'us-east'])],
      [ask('Keep the logs?', ['yes', 'no'], { allowFreeform: false })],
      [ask('Anything else?'), call('deploy')],
      [call('announce')],
    ],
    reply: 'All is clean.',
    async act({ people, thread, later, remark }) {
      const cluster = await people.card(thread, 'Which cluster?');
      await remark(tomas, 'us-east');
      await people.type(mara, cluster, 'eu-west');
      await people.press(mara, await people.card(thread, 'Keep the logs?'), 'Skip');
      await people.card(thread, 'Anything else?');
      await later(EXPIRY + 5_000);
    },
    cards: {
      'Which cluster?': /Answered.*eu-west|eu-west.*Answered/s,
      'Keep the logs?': /Skipped/,
      'Anything else?': /Nobody answered/,
    },
    results: [
      'User selected: eu-west',
      'User dismissed the question without answering.',
      /^Nobody answered within /,
      heldBack,
      effect('announce'),
    ],
  },
  {
    name: 'a slow reply',
    mention: 'tell me about the ledger',
    steps: [[call('announce')]],
    reply:
      'The ledger balances, the queue is empty, and every one of the seven reports that were due has gone out in time.',
    pace: 220,
    async act() {},
    cards: {},
    results: [effect('announce')],
  },
  {
    name: 'the right person',
    mention: 'let somebody else decide',
    naming: tomas,
    steps: [
      [ask('Is it safe?', ['yes', 'no'], { to: [`<@${tomas}>`] })],
      [ask('Is it wise?', ['yes', 'no'], { to: [tomas] }), call('deploy')],
      [call('announce')],
    ],
    reply: 'It is decided.',
    async act({ people, thread }) {
      // Once it is answered nobody is told any more.
      await people.told(tomas, 'Is it safe?');
      await people.press(tomas, await people.card(thread, 'Is it safe?'), 'yes');
      await people.told(tomas, 'Is it wise?');
      await people.press(mara, await people.card(thread, 'Is it wise?'), 'Withdraw');
    },
    cards: { 'Is it safe?': /Answered.*yes|yes.*Answered/s, 'Is it wise?': /Cancelled/ },
    told: { 'Is it safe?': /Answered/, 'Is it wise?': /Cancelled/ },
    results: ['User selected: yes', 'The question was cancelled.', heldBack, effect('announce')],
  },
  {
    name: 'another mind',
    mention: 'order the shirts',
    steps: [
      [ask('Which colour?', ['red', 'blue']), ask('Which size?', ['small', 'large'], { allowFreeform: false })],
      [call('announce')],
    ],
    reply: 'The shirts are ordered.',
    async act({ people, thread }) {
      const colour = await people.card(thread, 'Which colour?');
      await people.press(mara, colour, 'red');
      await people.change(mara, colour, 'blue');
      await people.press(mara, await people.card(thread, 'Which size?'), 'large');
      const reply = await people.reads(thread, 'The shirts are ordered.');
      await people.thumb(mara, reply, 'good');
      await people.thumb(tomas, reply, 'good');
      await people.thumb(mara, reply, 'bad');
    },
    cards: { 'Which colour?': /Answered.*blue|blue.*Answered/s, 'Which size?': /Answered.*large|large.*Answered/s },
    thumbs: { [mara]: 'bad', [tomas]: 'good' },
    results: ['User selected: blue', 'User selected: large', effect('announce')],
  },
  {
    name: 'about a message',
    mention: 'why did they go out',
    opening: 'The lights went out.',
    steps: [[call('announce')]],
    reply: 'They are on again.',
    async act({ people, channel, thread, words }) {
      await people.askAbout(mara, { channel, ts: thread }, words);
    },
    cards: {},
    also: [/asks about/],
    results: [effect('announce')],
  },
  {
    name: 'retried at Home',
    mention: 'count the stock',
    down: true,
    steps: [[ask('Which store?', ['north', 'south'])], [call('announce')]],
    reply: 'It is counted.',
    async act({ people, thread, mend }) {
      const failure = await people.withButton(thread, 'Retry');
      mend();
      await people.atHome(mara, failure, 'Retry', 'Retry');
      await people.atHome(mara, await people.card(thread, 'Which store?'), 'south', 'Skip');
    },
    cards: { 'Which store?': /Answered.*south|south.*Answered/s },
    also: [/Tried again/],
    results: ['User selected: south', effect('announce')],
  },
  {
    name: 'stopped at Home',
    mention: 'move the office',
    steps: [[ask('Which floor?', ['first', 'second']), ask('Which day?'), call('deploy')]],
    reply: 'Stopped by',
    async act({ people, thread }) {
      await people.press(mara, await people.card(thread, 'Which floor?'), 'first');
      await people.atHome(mara, await people.card(thread, 'Which day?'), 'Stop', 'Skip');
    },
    cards: { 'Which floor?': /Answered.*first|first.*Answered/s, 'Which day?': /Cancelled/ },
    results: ['User selected: first', 'The question was cancelled.', heldBack],
  },
];

/** Says what comes next in the chapter that the transcript is of. */
export const script: Script = ({ messages }) => {
  const chapter = chapters.find(({ mention }) =>
    messages.some(({ role, content }) => role === 'user' && String(content).includes(mention)),
  );
  if (!chapter) throw new Error('The script has no such chapter.');
  const calls = chapter.steps[messages.filter(({ role }) => role === 'assistant').length];
  if (calls) return { type: 'answer', calls };
  const { reply: text, pace } = chapter;
  return { type: 'answer', text, ...(pace !== undefined && { pace }) };
};
