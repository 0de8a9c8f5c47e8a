/** Whole threads: several questions of one step, a card that Slack refused, and all that is said besides cards. */
import type { ScriptRequest } from '../../src/playground/model-request.ts';
import type { Reply, Script } from '../../src/playground/model-server.ts';
import { asking } from '../../test/e2e/asking.ts';
import { hasButton, tomas } from '../../test/sweep/shown.ts';
import { kinds } from './kinds.ts';
import { startStage, type Talk } from './stage.ts';
import type { Shot, Studio } from './studio.ts';

const [buttons, , , checkboxes, , freeText] = kinds.map(({ question }) => question);

export async function threads(studio: Studio): Promise<void> {
  await steps(studio);
  await besides(studio);
  await growing(studio);
}

async function steps(studio: Studio): Promise<void> {
  if (!buttons || !checkboxes || !freeText) throw new Error('A kind is missing.');
  await using stage = await startStage({ channels: 8 });
  const step = async () => {
    const talk = await stage.ask('release billing 2.4', [buttons, checkboxes, freeText]);
    return { talk, cards: await talk.cards(3) };
  };
  const open = await step();
  const some = await step();
  const [first, second] = some.cards;
  if (!first || !second) throw new Error('A card is missing.');
  await some.talk.press(first, 'Staging');
  await some.talk.settled(first);
  await some.talk.press(second, 'Skip');
  await some.talk.settled(second);
  const look = { width: 1_400, height: 960 };
  const shots = [
    await studio.thread(stage, open.talk, 'Three questions of one step, each a card; the last has Answer all…', look),
    await studio.thread(
      stage,
      some.talk,
      'One answered and one skipped: both can be changed until the last is settled',
      look,
    ),
  ];
  await studio.sheet('several', shots);

  const refuse = { method: 'chat.postMessage', kind: 'refuse', error: 'invalid_blocks', times: 1 } as const;
  const plain: Shot[] = [];
  for (const [caption, question, answer] of [
    ['a card that Slack refused: plain text, to be replied to', checkboxes, undefined],
    ['the same, answered', checkboxes, '1, 4'],
    ['free text', freeText, undefined],
  ] as const) {
    await stage.act({ do: 'fault', as: tomas, fault: refuse });
    const talk = await stage.ask(caption, [question]);
    const card = await talk.sees('the plain card', (m) => m.text.includes('Please reply in this thread'));
    if (answer !== undefined) {
      await talk.say(answer);
      await talk.settled(card);
    }
    plain.push(...(await studio.messages(stage, [{ caption, talk, ts: card.ts }])));
  }
  await studio.sheet('card-plain', plain);
}

const reply = `## billing 2.4 is on staging

All **three checks** passed; nothing is out of the ordinary:

| check | took | result |
|---|---|---|
| unit tests | 2 min | 412 passed |
| migration | 4 min | 3 tables |

\`\`\`sh
kubectl rollout status deploy/billing   # ready
\`\`\`

1. Invoices are sent on the **first** of the month
2. Reminders a week later

- [x] The old queue is empty
- [ ] Tell the support team

> “It looks like the old one, and it is faster.” — Imani`;

/** Fails at first, once for each words that tell it to; else as `asking` has it. */
function failing(): Script {
  const failed = new Set<string>();
  return (request: ScriptRequest): Reply => {
    const said = JSON.stringify(request.messages.at(-1)?.content);
    if (said.includes('report')) return { type: 'answer', text: reply };
    if (!said.includes('fail') || failed.has(said)) return asking(request);
    failed.add(said);
    return { type: 'error', status: 401, message: 'Incorrect API key provided.' };
  };
}

async function besides(studio: Studio): Promise<void> {
  if (!buttons) throw new Error('A kind is missing.');
  await using stage = await startStage({ channels: 8, script: failing(), env: { QUESTION_REMIND_AFTER: '2s' } });
  const wanted: { caption: string; talk: Talk; ts: string }[] = [];
  const keep = async (caption: string, talk: Talk, what: (m: { text: string }) => boolean) => {
    wanted.push({ caption, talk, ts: (await talk.sees(caption, what)).ts });
  };
  await keep('a reply: Markdown as Slack draws it', await stage.talk('report'), (m) => m.text.includes('faster'));
  await keep('a failure, with Retry', await stage.talk('fail'), (m) => m.text.includes('⚠️'));
  const again = await stage.talk('fail once');
  const failure = await again.sees('a Retry', (m) => hasButton(m, 'Retry'));
  await again.press(failure, 'Retry');
  await keep('the same, when it was tried again', again, (m) => m.text.includes('Tried again'));
  await keep('help', await stage.talk('help'), (m) => m.text.includes('•'));
  const asked = await stage.ask('deploy billing 2.4', [buttons]);
  await keep('a reminder, where the operator wants them', asked, (m) => m.text.includes('⏰'));
  await asked.say('hm, let me think');
  const told = await stage.slack.wait((s) => s.messages.find((m) => m.ephemeralTo && m.channel === asked.channel), {
    what: 'a private note',
  });
  wanted.push({ caption: 'a private note: said beside the question, and kept', talk: asked, ts: told.ts });
  await asked.say('stop');
  await keep('stopped', asked, (m) => m.text.includes('🛑'));
  await studio.sheet('besides', await studio.messages(stage, wanted));
}

async function growing(studio: Studio): Promise<void> {
  const script: Script = ({ messages }) => {
    const results = messages.filter(({ role }) => role === 'tool').length;
    if (results === 0)
      return { type: 'answer', text: 'Let me look before I ask.', calls: [{ name: 'read_change_log', arguments: {} }] };
    if (results === 1)
      return {
        type: 'answer',
        text: 'There are **three changes** since 2.3, all in the invoices. I check them now, and the prices against those of last month:',
        pace: 60,
        calls: [
          { name: 'run_tests', arguments: {} },
          { name: 'compare_prices', arguments: {} },
        ],
      };
    return { type: 'answer', text: 'Done.' };
  };
  await using stage = await startStage({ channels: 2, script, env: { AGENT: './docs/pictures/agent.ts' } });
  const talk = await stage.talk('check billing 2.4 before we deploy it');
  const done = (m: { tasks?: { status: string }[] }) =>
    m.tasks?.filter(({ status }) => status === 'complete').length === 2;
  await talk.sees('two tasks done', (m) => m.streaming === true && done(m) && m.text.includes('last month'));
  const look = { width: 1_400, height: 480 };
  const shots = [
    await studio.thread(stage, talk, 'A reply as it grows, with what the agent does', look),
    await studio.thread(stage, talk, 'The same in the dark', { ...look, dark: true }),
  ];
  await studio.sheet('growing', shots);
}
