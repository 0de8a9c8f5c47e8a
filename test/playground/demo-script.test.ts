import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkAnswer, outcomeText } from '../../src/agent/ask-user.ts';
import { parseAskUser } from '../../src/agent/ask-user-input.ts';
import type { Question, Settlement } from '../../src/agent/question.ts';
import { createDemoScript } from '../../src/playground/demo-script.ts';
import type { ScriptRequest, WireCall, WireMessage } from '../../src/playground/model-request.ts';
import type { Reply, ScriptedCall } from '../../src/playground/model-server.ts';

type Answer = Extract<Reply, { type: 'answer' }>;
type Tools = ScriptRequest['tools'];

const askUser: Tools = [{ name: 'ask_user', parameters: { type: 'object' } }];
const request = (messages: WireMessage[], tools: Tools): ScriptRequest => ({
  model: 'scripted-demo',
  messages: structuredClone(messages),
  tools,
  stream: true,
  body: {},
  headers: {},
});
const user = (content: string): WireMessage => ({ role: 'user', content });

const readQuestion = (call: ScriptedCall): Question => {
  const parsed = parseAskUser(call.arguments);
  if (!parsed.ok) throw new Error(`The question cannot be asked: ${parsed.problem}`);
  return parsed.question;
};

/** Plays the agent: gives each question what `settle` says, and asks the script (a new one each time) until it is done. */
async function play(
  messages: WireMessage[],
  settle: (question: Question, n: number) => Settlement | { raw: string },
  tools: Tools = askUser,
) {
  const replies: Answer[] = [];
  const asked: Question[] = [];
  for (let step = 0; step < 12; step++) {
    const reply = await createDemoScript()(request(messages, tools));
    if (reply.type !== 'answer') throw new Error(`not an answer: ${reply.type}`);
    replies.push(reply);
    const calls = reply.calls ?? [];
    messages.push({
      role: 'assistant',
      content: reply.text ?? null,
      ...(calls.length > 0 && { tool_calls: calls.map(toWire) }),
    });
    if (calls.length === 0) return { replies, asked, last: reply.text ?? '' };
    for (const call of calls) {
      const id = call.id ?? '';
      if (call.name !== 'ask_user') {
        messages.push({ role: 'tool', tool_call_id: id, content: 'looked' });
        continue;
      }
      const question = readQuestion(call);
      const settled = settle(question, asked.push(question) - 1);
      const content = 'raw' in settled ? settled.raw : outcomeText(settled, question);
      messages.push({ role: 'tool', tool_call_id: id, content });
    }
  }
  throw new Error('The script does not come to an end.');
}

const toWire = (call: ScriptedCall): WireCall => ({
  id: call.id ?? '',
  type: 'function',
  function: { name: call.name, arguments: JSON.stringify(call.arguments) },
});

const first = (question: Question): Settlement => {
  const labels = question.options
    ?.slice(0, question.selectionMode === 'multi_select' ? 2 : 1)
    .map(({ label }) => label);
  const checked = checkAnswer(question, labels ?? 'as you like');
  if (!checked.ok) throw new Error(checked.problem.kind);
  return checked.settlement;
};

test('the first reply says that it is scripted, and only the first', async () => {
  const { last } = await play([user('hi there')], first);
  expect(last).toMatch(/scripted demo model/);
  expect(last).toMatch(/deploy the billing service/);
  const later = await play([user('hi'), { role: 'assistant', content: 'x' }, user('thanks')], first);
  expect(later.last).toBe('You are welcome.');
});

test('a deployment asks each kind of question and repeats every answer as Markdown', async () => {
  const { asked, last, replies } = await play([user('please deploy the shop service')], first);
  expect(asked.map(({ selectionMode }) => selectionMode)).toEqual([
    'single_select',
    'multi_select',
    'single_select',
    'single_select',
    undefined,
  ]);
  expect(replies.map(({ calls }) => calls?.length ?? 0)).toEqual([1, 1, 2, 1, 0]);
  expect(asked[1]?.options?.length).toBeGreaterThan(5);
  for (const said of [
    '# shop to Staging',
    '- Unit tests',
    '| Where should shop go? | Staging |',
    '“as you like”',
    '```sh',
  ])
    expect(last).toContain(said);
});

test('whoever is mentioned is asked, whatever else the words would mean', async () => {
  const said =
    '[From Mara (<@U0MARA0001>). It is late.]\nask Imani (<@U0IMANI001>) or <!subteam^S0OPS00001> whether we can ship on Friday';
  const { asked, last } = await play([user(said)], first);
  expect(asked).toMatchObject([
    {
      question: 'We can ship on Friday: yes or no?',
      to: ['<@U0IMANI001>', '<!subteam^S0OPS00001>'],
      options: [{ label: 'Yes' }, { label: 'No' }],
    },
  ]);
  expect(last).toContain('The answer is: Yes.');
  const refused = await play([user('ask <@U1> if it is safe')], () => ({
    outcome: 'failed',
    reason: 'They are away.',
  }));
  expect(refused.last).toContain('could not be asked: They are away.');
});

test('a message that is asked about gives no command', async () => {
  const { asked } = await play(
    [
      user(
        '[From Mara (<@U1>). It is late.]\n[About this message of the thread, by <@U2>:]\n> deploy\n> fail\n\nchoice',
      ),
    ],
    first,
  );
  expect(asked.map(({ question }) => question)).toEqual(['How should the report be sent?']);
});

test('it looks first where a tool that only looks is offered, and calls no tool that is not', async () => {
  const looking = [...askUser, { name: 'list_services', parameters: { type: 'object' } }];
  const { replies } = await play([user('deploy')], first, looking);
  expect(replies[0]?.calls?.map(({ name }) => name)).toEqual(['list_services']);
  const careful = [...askUser, { name: 'get_x', parameters: { type: 'object', required: ['id'] } }, { name: 'drop_x' }];
  const other = await play([user('deploy')], first, careful);
  expect(new Set(other.replies.flatMap(({ calls }) => calls?.map(({ name }) => name) ?? []))).toEqual(
    new Set(['ask_user']),
  );
  const nobody = await play([user('deploy')], first, []);
  expect(nobody.last).toMatch(/nobody to ask/);
});

describe('how a question can end', () => {
  test.for<{ what: string; settled: Settlement; says: RegExp }>([
    { what: 'dismissed', settled: { outcome: 'dismissed' }, says: /skipped.*\n\nI do not guess where \*\*billing/ },
    { what: 'expired', settled: { outcome: 'expired', after: '2 hours' }, says: /Nobody answered within 2 hours/ },
    { what: 'cancelled', settled: { outcome: 'cancelled' }, says: /was cancelled/ },
    {
      what: 'failed',
      settled: { outcome: 'failed', reason: 'no such channel' },
      says: /could not ask: no such channel/,
    },
    { what: 'superseded', settled: { outcome: 'superseded', text: 'wait for Ada' }, says: /you wrote: “wait for Ada”/ },
  ])('$what where it matters most: it does not guess', async ({ settled, says }) => {
    const { last, asked } = await play([user('deploy billing')], () => settled);
    expect(asked).toHaveLength(1);
    expect(last).toMatch(says);
  });

  test('superseded by a word of command: it follows', async () => {
    const { asked } = await play([user('deploy')], (question, n) =>
      n === 0 ? { outcome: 'superseded', text: 'no, show me the menu' } : first(question),
    );
    expect(asked.map(({ question }) => question)).toEqual([
      'Where should billing go?',
      'Which region should it run in?',
    ]);
  });

  test('after a stop the next message is a message, not an answer to what was stopped', async () => {
    const messages = [user('deploy')];
    const { replies } = await play([...messages], first);
    const stopped: WireMessage[] = [
      ...messages,
      { role: 'assistant', content: null, tool_calls: (replies[0]?.calls ?? []).map(toWire) },
      { role: 'tool', tool_call_id: replies[0]?.calls?.[0]?.id ?? '', content: 'The question was cancelled.' },
      user('hello?'),
    ];
    expect((await play(stopped, first)).last).toMatch(/^Hello! Try one/);
  });

  test('what was said meanwhile is read', async () => {
    const messages = [user('menu')];
    const { replies } = await play([...messages], first);
    const call = replies[0]?.calls?.[0] as ScriptedCall;
    messages.push(
      { role: 'assistant', content: null, tool_calls: [toWire(call)] },
      { role: 'tool', tool_call_id: call.id ?? '', content: 'User selected: us-east' },
      user('the nearer the better'),
    );
    const { last } = await play(messages, first);
    expect(last).toMatch(/wrote meanwhile: “the nearer the better”/);
    expect(last).toMatch(/You said: us-east/);
  });
});

test.for(['menu', 'choice', 'many', 'free', 'two', 'long', 'slow', 'hello'])(
  'whatever becomes of its questions, "%s" and a deployment come to an end in words',
  async (command) => {
    const text = fc.string({ minLength: 1, maxLength: 40 });
    const settled = fc.oneof(
      fc.constant('answer' as const),
      text.map((reply): Settlement => ({ outcome: 'answered', labels: [], text: reply })),
      fc.constantFrom<Settlement>(
        { outcome: 'dismissed' },
        { outcome: 'cancelled' },
        { outcome: 'expired', after: '1 day' },
      ),
      text.map((reply): Settlement => ({ outcome: 'superseded', text: reply })),
      text.map((raw) => ({ raw })),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(settled, { minLength: 1, maxLength: 8 }), async (outcomes) => {
        for (const said of [command, 'deploy it']) {
          const { last, replies } = await play([user(said)], (question, n) => {
            const outcome = outcomes[n % outcomes.length] ?? 'answer';
            return outcome === 'answer' ? first(question) : outcome;
          });
          expect(last.trim()).not.toBe('');
          for (const { calls = [] } of replies) expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length);
        }
      }),
      { numRuns: 40 },
    );
  },
);

test('an answer cannot break the table that repeats it', async () => {
  const { last } = await play([user('deploy')], (question) =>
    question.options ? first(question) : { outcome: 'answered', labels: [], text: 'a | b\n\n```\n# c' },
  );
  expect(last).toContain("| What should the release note say? | “a / b ''' \\# c” |");
  expect(last.match(/```/g)).toHaveLength(2);
});

test('what the README suggests is understood, and what a person wrote is shown as they wrote it', async () => {
  const { asked, last } = await play([user('plan the release of 2.4')], (question) =>
    question.options ? first(question) : { outcome: 'answered', labels: [], text: 'It is *new* and [better](x)_' },
  );
  expect(JSON.stringify(asked)).toContain('Where should release 2.4 go?');
  expect(last).toContain('“It is \\*new\\* and \\[better\\](x)\\_”');
});

test('"fail" breaks within its answer once, and a retry of the same transcript works', async () => {
  const script = createDemoScript();
  const asked = request([user('fail')], askUser);
  expect((await script(asked)).type).toBe('raw');
  expect(await script(asked)).toMatchObject({ type: 'answer', text: expect.stringContaining('second attempt') });
  expect((await script(asked)).type).toBe('raw');
});

test('it streams in small deltas that are not too slow', async () => {
  const pace = async (said: string) => ((await createDemoScript()(request([user(said)], askUser))) as Answer).pace ?? 0;
  expect(await pace('hello')).toBeGreaterThan(10);
  expect(await pace('long')).toBeLessThan(5);
  expect(await pace('slow')).toBeGreaterThan(100);
});

test('what the bot adds to a message is no command, and the script says what it has read', async () => {
  const messages = [
    user(
      '[Said in this thread before, oldest first. …]\n> Ada (<@U2>), 30 Nov 2026, 21:04: deploy it, the build is green',
    ),
    user(
      '[From Bo (<@U1>). It is Monday.]\nhello\n[attached: a.txt, b.png]\n[The file a.txt:]\n````\ndeploy\n```\n````\n[The image b.png belongs to this message.]',
    ),
  ];
  const { asked, last } = await play(messages, () => ({ outcome: 'dismissed' }));
  expect(asked).toEqual([]);
  expect(last).toContain('the last of it is “Ada (<@U2>), 30 Nov 2026, 21:04: deploy it, the build is green”');
  expect(last).toContain('I have got the file “a.txt”');
  expect(last).toContain('I have got the file “b.png”');
});
