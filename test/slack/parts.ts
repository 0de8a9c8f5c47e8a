import { setTimeout as after } from 'node:timers/promises';
import type { Log } from '../../src/slack/log.ts';
import type { Dispatcher } from '../../src/thread/dispatcher-api.ts';
import type { Clock, QuestionId, QuestionView, ThreadId, Whisper, WhisperPlace } from '../../src/thread/ports.ts';
import { BOT_ID, BOT_USER, TEAM } from '../support/fake-slack.ts';

export const identity = { team: TEAM, botUser: BOT_USER, botId: BOT_ID };
export const THREAD = `${TEAM}:C1:100.000000` as ThreadId;
export const QUESTION = 'q1' as QuestionId;

export const wallClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => after(ms, undefined, signal ? { signal } : {}).catch(() => {}),
};

/** Time that passes only when somebody sleeps: waits cost nothing and can be read. */
export function jumpingClock(start = 1_000_000_000_000): Clock & { slept: number[] } {
  let now = start;
  const slept: number[] = [];
  return {
    slept,
    now: () => now,
    async sleep(ms, signal) {
      if (signal?.aborted) return;
      slept.push(ms);
      now += ms;
    },
  };
}

/** Keeps what was logged, to look for what must never be in a log. */
export function memoryLog(): Log & { lines: { level: string; fields: object; message: string }[] } {
  const lines: { level: string; fields: object; message: string }[] = [];
  const at = (level: string) => (fields: object, message: string) => void lines.push({ level, fields, message });
  return { lines, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

export const openQuestion: QuestionView = {
  id: QUESTION,
  thread: THREAD,
  question: {
    question: 'Which region?',
    options: [{ label: 'eu-west' }, { label: 'us-east' }],
    selectionMode: 'single_select',
    allowFreeform: true,
  },
  requester: 'U1',
  position: 1,
  of: 1,
};

export const settledQuestion: QuestionView = {
  ...openQuestion,
  settled: { settlement: { outcome: 'answered', labels: ['eu-west'] }, by: 'U2', at: 1_700_000_000_000 },
};

/** A dispatcher by table: what is not given accepts, and every call is kept. */
export function scripted(replies: Partial<{ [K in keyof Dispatcher]: (...args: never[]) => unknown }> = {}) {
  const calls: { method: string; args: unknown[] }[] = [];
  const method = (name: keyof Dispatcher, usual: unknown) =>
    (async (...args: never[]) => {
      calls.push({ method: name, args });
      const reply = replies[name];
      return reply ? await reply(...args) : usual;
    }) as never;
  const dispatcher: Dispatcher = {
    receive: method('receive', { status: 'accepted' }),
    answer: method('answer', { status: 'accepted', question: openQuestion }),
    withdraw: method('withdraw', { status: 'accepted', question: openQuestion }),
    look: method('look', { status: 'open', question: openQuestion }),
    lookAtStep: method('lookAtStep', { status: 'open', questions: [openQuestion] }),
    home: method('home', { waiting: [], asked: [] }),
    stop: method('stop', { status: 'stopped' }),
    feedback: method('feedback', { status: 'accepted' }),
    retry: method('retry', { status: 'retrying' }),
    uninstalled: method('uninstalled', undefined),
  };
  return { dispatcher, calls, called: (name: string) => calls.filter((c) => c.method === name).map((c) => c.args) };
}

export function whispers() {
  const heard: { thread: ThreadId; person: string; whisper: Whisper; place?: WhisperPlace }[] = [];
  return {
    heard,
    messenger: {
      whisper: async (thread: ThreadId, person: string, whisper: Whisper, place?: WhisperPlace) =>
        void heard.push({ thread, person, whisper, ...(place && { place }) }),
    },
  };
}
