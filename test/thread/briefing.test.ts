/** What the agent reads before its turn: the thread, who is who, and what happens when these cannot be had. */
import { expect, test } from 'vitest';
import { ModelError } from '../../src/agent/model.ts';
import type { EarlierMessage, EarlierRead, Reader } from '../../src/thread/ports.ts';
import { ask } from './story.ts';
import { bob, createTown, thread } from './town.ts';

const said = (seconds: number, by: EarlierMessage['by'], text: string): EarlierMessage => ({
  id: `${1_800_000_000 + seconds}.000001`,
  by,
  text,
});
const byBob = { kind: 'person' as const, id: 'UBOB' };

/** Answers of the thread's reading in order; the last one stays. */
function reading(...reads: (EarlierRead | (() => Promise<EarlierRead>))[]) {
  const spans: { after: string; before: string }[] = [];
  const reader: Reader = {
    async earlier(_, span) {
      spans.push(span);
      const read = reads.length > 1 ? reads.shift() : reads[0];
      return typeof read === 'function' ? read() : (read ?? { ok: true, messages: [], leftOut: 0 });
    },
    file: async () => ({ ok: false, error: 'refused', reason: 'it is gone' }),
    profile: async (id) => ({ name: `Name of ${id}`, timeZone: 'Europe/Stockholm' }),
  };
  return { reader, spans };
}

const userTexts = async (town: ReturnType<typeof createTown>) =>
  (await town.transcript()).flatMap((m) => (m.role === 'user' ? [m.content] : []));

test('a mention in the middle of a thread: what stands above it is read, without what the record has', async () => {
  const { reader, spans } = reading(
    { ok: true, messages: [said(1, byBob, 'red'), said(2, { kind: 'self' }, 'from long ago')], leftOut: 0 },
    { ok: true, messages: [said(1, byBob, 'red'), said(9, { kind: 'self' }, 'Second.')], leftOut: 0 },
  );
  const town = createTown({ lines: ['First.', 'Second.'], deps: { reader } });
  await town.say('look at this');
  const [before = '', own = ''] = await userTexts(town);
  expect(before).toContain('> Name of UBOB (<@UBOB>), 15 Jan 2027, 09:00: red');
  expect(before).toContain('> You, 15 Jan 2027, 09:00: from long ago');
  expect(own).toMatch(
    /^\[From Name of UANN \(<@UANN>\)\. It is Friday,? 15 January 2027 at \S+ where they are.*\]\nlook at this$/,
  );
  const first = (await town.record())?.seen[0]?.id;
  expect(spans).toEqual([{ after: '0', before: first }]);

  await town.say('and now?', { mention: false });
  expect(spans[1]).toEqual({ after: first, before: expect.any(String) });
  // Bob's is told once more, since this reader says that it is later; what we said ourselves the agent knows.
  expect((await userTexts(town))[2]).not.toContain('You, ');
});

test('the message that starts a thread has nothing above it', async () => {
  const { reader, spans } = reading();
  const town = createTown({ lines: ['First.'], deps: { reader } });
  await town.say('begin', { root: true, id: thread.split(':')[2] as string });
  expect(town.replies()).toEqual(['First.']);
  expect(spans).toEqual([]);
});

test('a message that comes late has the thread read no second time, nor from before', async () => {
  const { reader, spans } = reading();
  const town = createTown({ lines: ['Done.'], deps: { reader } });
  const late = town.message('late');
  await town.say('look');
  const readTo = (await town.record())?.readTo;
  await town.dispatcher.receive(late);
  await town.pass(3_000);
  expect(town.replies()).toHaveLength(2);
  expect(spans).toHaveLength(1);
  expect((await town.record())?.readTo).toBe(readTo);
});

test('messages that the record has are not told twice', async () => {
  const town = createTown({
    lines: ['First.', 'Second.'],
    deps: {
      reader: {
        file: async () => ({ ok: true, text: '' }),
        profile: async () => ({}),
        async earlier() {
          const seen = (await town.record())?.seen ?? [];
          return { ok: true, leftOut: 0, messages: seen.map(({ id }) => ({ id, by: byBob, text: 'again' })) };
        },
      },
    },
  });
  await town.say('one');
  await town.say('beside', { by: bob, mention: false });
  await town.say('two');
  expect((await userTexts(town)).join('\n')).not.toContain('again');
});

test.for<[string, EarlierRead, number, RegExp]>([
  ['for an unclear reason', { ok: false, error: 'later', reason: 'ECONNRESET' }, 3, /could not be read \(ECONNRESET\)/],
  [
    'for too long',
    { ok: false, error: 'later', retryAfter: 60_000, reason: 'rate limited' },
    1,
    /could not be read \(rate limited\)/,
  ],
  ['for good', { ok: false, error: 'refused', reason: 'missing_scope' }, 1, /could not be read \(missing_scope\)/],
])('a thread that cannot be read, %s: the run goes on and says so', async ([, read, times, note]) => {
  const { reader, spans } = reading(read);
  const town = createTown({ lines: ['Done.'], deps: { reader } });
  await town.say('look');
  await town.pass(10_000);
  expect(town.replies()).toEqual(['Done.']);
  expect(spans).toHaveLength(times);
  expect((await userTexts(town))[0]).toMatch(note);
});

test('a thread that was read before is not waited for as long', async () => {
  const { reader, spans } = reading(
    { ok: true, messages: [], leftOut: 0 },
    { ok: false, error: 'later', retryAfter: 5_000, reason: 'rate limited' },
  );
  const town = createTown({ lines: ['Done.'], deps: { reader } });
  await town.say('look');
  await town.say('and now?');
  expect(town.replies()).toHaveLength(2);
  expect(spans).toHaveLength(2);
});

test('one that can be read a moment later is read', async () => {
  const { reader } = reading(
    { ok: false, error: 'later', retryAfter: 3_000, reason: 'rate limited' },
    { ok: true, messages: [said(1, byBob, 'red')], leftOut: 0 },
  );
  const town = createTown({ lines: ['Done.'], deps: { reader } });
  await town.say('look');
  await town.pass(5_000);
  expect((await userTexts(town))[0]).toContain(': red');
});

test('of a long thread the first and the latest are read, and the gap is told', async () => {
  const messages = Array.from({ length: 200 }, (_, n) => said(n, byBob, `no ${n} ${'x'.repeat(900)}`));
  const { reader } = reading({ ok: true, messages, leftOut: 1_000 });
  const town = createTown({ lines: ['Done.'], deps: { reader } });
  await town.say('look');
  const [before = ''] = await userTexts(town);
  expect(before.length).toBeLessThan(50_000);
  const told = [...before.matchAll(/: no (\d+)/g)].map(([, n]) => Number(n));
  expect(told[0]).toBe(0);
  expect(told.at(-1)).toBe(199);
  expect(before).toContain(`[${1_200 - told.length} messages were left out here.]`);
});

test('a stop while the thread is read: the run ends, and what was asked is in the transcript', async () => {
  const { reader } = reading(() => new Promise(() => {}));
  const town = createTown({ lines: ['Never.'], deps: { reader } });
  await town.say('look');
  await town.say('stop');
  await town.pass(5_000);
  expect(town.slack.standing('stopped')).toHaveLength(1);
  expect(await userTexts(town)).toEqual(['look']);
});

test('a process that dies while it reads: the next one reads again, and the agent is told once', async () => {
  const { reader, spans } = reading(() => new Promise(() => {}), {
    ok: true,
    messages: [said(1, byBob, 'red')],
    leftOut: 0,
  });
  let calls = 0;
  const down = new ModelError('server', 'down', { retryable: true });
  const named = (name: string) => ({
    token: () => `${name}${++calls}`,
    isGone: (token: string) => !token.startsWith(name),
  });
  let asked = 0;
  const lines = () => (++asked === 1 ? down : 'Done.');
  const town = createTown({ lines, deps: { reader, holders: named('first') } });
  await town.say('look');
  town.restart({ holders: named('second') });
  town.dispatcher.start();
  await town.pass(3_000);
  expect(spans).toHaveLength(2);
  expect(town.slack.standing('failure')).toHaveLength(1);
  // With the next try the thread is read again, and the run has it already.
  await town.say('go on', { mention: false });
  await town.pass(5_000);
  expect(town.replies()).toEqual(['Done.']);
  expect((await userTexts(town)).filter((text) => text.includes(': red'))).toHaveLength(1);
  await town.dispatcher.close(0);
});

test('a shutdown while the thread is read: the next process tells the agent what it would have been told', async () => {
  const red: EarlierRead = { ok: true, messages: [said(1, byBob, 'red')], leftOut: 0 };
  const told = async (...reads: Parameters<typeof reading>) => {
    const town = createTown({ lines: ['Done.'], deps: { reader: reading(...reads).reader } });
    await town.say('look');
    const closed = town.dispatcher.close(1_000);
    await town.pass(3_000);
    await closed;
    town.restart();
    town.dispatcher.start();
    await town.pass(3_000);
    expect(town.replies()).toEqual(['Done.']);
    await town.dispatcher.close(0);
    return (await userTexts(town)).map((text) => text.replace(/\d\d:\d\d/, 'a time'));
  };
  expect(await told(() => new Promise(() => {}), red)).toEqual(await told(red));
});

test('answers that come hours later come with the time', async () => {
  const { reader } = reading();
  const town = createTown({ lines: [[ask('Why?')], 'Done.'], deps: { reader } });
  await town.say('begin');
  await town.pass(2 * 3_600_000);
  await town.click('Why?', [], undefined, 'because');
  expect((await userTexts(town)).at(-1)).toMatch(/^\[It is Friday,? 15 January 2027 at .*\]$/);
});

test('files are read within limits: the requester’s first, so many, so many images', async () => {
  const asked: string[] = [];
  const { reader } = reading({
    ok: true,
    messages: [{ ...said(1, byBob, 'red'), files: [{ id: 'Above', name: 'above' }] }],
    leftOut: 0,
  });
  reader.file = async ({ id, name }) => {
    asked.push(id);
    if (id === 'Flaky' && asked.filter((other) => other === id).length === 1)
      return { ok: false, error: 'later', reason: 'HTTP 503' };
    if (id.startsWith('I')) return { ok: true, image: { name, mediaType: 'image/png', data: 'AAAA' } };
    return { ok: true, text: `in ${name}: ${'x'.repeat(100_000)}` };
  };
  const files = ['I1', 'I2', 'I3', 'I4', 'I5', 'Flaky', 'T2'].map((id) => ({ id, name: id.toLowerCase() }));
  const town = createTown({ lines: ['Done.'], deps: { reader } });
  await town.say('look', { files });
  await town.pass(5_000);
  expect(asked.filter((id) => id !== 'Flaky')).toEqual(['I1', 'I2', 'I3', 'I4', 'I5', 'T2', 'Above']);
  const users = (await town.transcript()).filter((m) => m.role === 'user');
  expect(users[1]?.images?.map(({ name }) => name)).toEqual(['i1', 'i2', 'i3', 'i4']);
  expect(users[1]?.content).toContain('[The file i5 cannot be read: no more than 4 images are shown at once.]');
  expect(users[1]?.content).toContain('in flaky: x');
  expect(users[1]?.content).toContain('[The rest of this file was cut: it has');
  expect(users[0]?.content).toContain('> in above: x');
  expect(JSON.stringify(users).length).toBeLessThan(70_000);
  // The record has none of it.
  expect(JSON.stringify(await town.record()).length).toBeLessThan(5_000);
});
