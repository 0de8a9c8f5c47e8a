/** A model that fails: one sentence in the thread, nothing lost, Retry goes on; in the first call and in the one after an answer. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Reply, Script } from '../../src/playground/model-server.ts';
import { asking, isAnswered, options } from './asking.ts';
import { hasButton, startTalk, talkOf, textOf } from './talk.ts';
import { startWorld, tomas, type World } from './world.ts';

const SECRET = 'sk-proj-0123456789abcdef';
const error = (status: number, message: string, more: object = {}): Reply => ({
  type: 'error',
  status,
  message,
  ...more,
});
const told = `Incorrect API key ${SECRET}`;

type Row = { fails: Reply; says: RegExp; retry: boolean };
const rows: Record<string, Row> = {
  busy: {
    fails: error(429, 'slow down', { headers: { 'retry-after': '120' } }),
    says: /too many requests/,
    retry: true,
  },
  down: { fails: error(500, `Traceback (most recent call last): ${SECRET}`), says: /problem of its own/, retry: true },
  locked: { fails: error(401, told, { code: 'invalid_api_key' }), says: /does not accept the key/, retry: true },
  broke: {
    fails: error(429, 'You exceeded your current quota', { code: 'insufficient_quota' }),
    says: /no credit left/,
    retry: true,
  },
  cut: {
    fails: { type: 'answer', text: 'A long answer that never comes to its end, as it seems', cutAfter: 400 },
    says: /connection to the model failed|broke off/i,
    retry: true,
  },
  empty: { fails: { type: 'answer', text: '' }, says: /empty answer/, retry: true },
  garbage: {
    fails: { type: 'raw', parts: ['data: {"choices": oh dear\n\n', 'data: [DONE]\n\n'] },
    says: /cannot be read|empty answer/,
    retry: true,
  },
  silent: { fails: { type: 'silence', end: 'cut' }, says: /connection to the model failed/, retry: true },
  full: {
    fails: error(400, "This model's maximum context length is 8192 tokens", { code: 'context_length_exceeded' }),
    says: /too long for the model/,
    retry: false,
  },
};

describe.for(['socket', 'http'] as const)('%s', (mode) => {
  let world: World;
  /** Threads whose model works again, by a word in them. */
  const mended = new Set<string>();
  const script: Script = (request) => {
    const text = JSON.stringify(request.messages);
    const [, row = '', where, place = ''] = /fail-(\w+)-(first|then)-(\w+)/.exec(text) ?? [];
    const due = where === 'first' || (where === 'then' && isAnswered(request));
    return due && !mended.has(place) ? (rows[row] as Row).fails : asking(request);
  };
  beforeAll(async () => {
    mended.clear();
    world = await startWorld({ mode, script, env: { OPENAI_API_KEY: SECRET, LOG_LEVEL: 'info' } });
  });
  afterAll(async () => {
    await world?.[Symbol.asyncDispose]();
  });

  const cases = Object.keys(rows).flatMap((row) => [[row, 'first'] as const, [row, 'then'] as const]);
  test.concurrent.for(mode === 'socket' ? cases : cases.slice(0, 2))('%s, in the %s call', async ([name, where]) => {
    const { says, retry } = rows[name] as Row;
    const place = world.place();
    const mark = `fail-${name}-${where}-${place.as}`;
    const asked = { question: `Where to? ${mark}`, options: options('here', 'there') };
    const talk = where === 'first' ? await startTalk(world, place, mark) : await talkOf(world, place, asked);
    if (where === 'then') expect(await talk.click(await talk.card(), 'there')).toMatchObject({ ok: true });

    const notice = await world.sees(talk.thread, 'a sentence about the failure', (m) => m.text.startsWith('⚠️'));
    expect(notice.text).toMatch(says);
    expect(notice.text.length).toBeLessThan(200);
    expect(JSON.stringify(talk.posts())).not.toMatch(/sk-|Traceback|Error:|\bat .*\.ts/);
    expect(hasButton(notice, 'Retry')).toBe(retry);
    await talk.atRest();
    expect(talk.posts().filter((m) => m.text.startsWith('⚠️'))).toHaveLength(1);

    mended.add(place.as);
    if (!retry) {
      await talk.say('something shorter');
      return void (await talk.reads('Said: something shorter'));
    }
    expect(await talk.click(notice, 'Retry', tomas)).toMatchObject({ ok: true });
    await talk.told('Only the person who started this', tomas);
    expect(await talk.click(notice, 'Retry')).toMatchObject({ ok: true });
    await talk.reads(where === 'first' ? `Said: ${mark}` : 'Heard: User selected: there');
    await talk.atRest();
    expect(talk.posts().filter((m) => /Said|Heard/.test(m.text))).toHaveLength(1);
    const used = await world.sees(talk.thread, 'no Retry', (m) => m.ts === notice.ts && !hasButton(m, 'Retry'));
    expect(textOf(used)).toContain('Tried again.');
    expect(used.text.startsWith(notice.text)).toBe(true);
  });

  test.concurrent('the next message goes on too, and is read with it', async () => {
    const place = world.place();
    const talk = await startTalk(world, place, `fail-down-first-${place.as}`);
    await world.sees(talk.thread, 'the failure', (m) => hasButton(m, 'Retry'));
    mended.add(place.as);
    await talk.say('are you there?');
    await talk.reads(`Said: fail-down-first-${place.as} | are you there?`);
    await talk.atRest();
    expect(talk.posts()).toHaveLength(2);
  });

  test('the log knows why, and holds no secret', () => {
    const log = world.log().join('\n');
    expect(log).toContain('a run failed');
    expect(log).not.toContain(SECRET);
    expect(world.warnings()).toEqual([]);
  });
});
