import { createSlackApp, openSlack, type SlackSettings } from '../../src/slack/app.ts';
import type { Probes } from '../../src/slack/probes.ts';
import type { Dispatcher } from '../../src/thread/dispatcher-api.ts';
import { type FakeSlack, fakeSlack, SIGNING_SECRET, signed } from '../support/fake-slack.ts';
import { memoryLog, scripted, wallClock } from './parts.ts';

export type Mode = 'socket' | 'http';
/** `acked`: with what, or undefined when there was no ack; in HTTP beside the status. */
export type Outcome = { acked: boolean; response?: unknown; status?: number };

export type Replies = Partial<{ [K in keyof Dispatcher]: (...args: never[]) => unknown }>;

export const settingsOf = (mode: Mode, slack: FakeSlack): SlackSettings => ({
  botToken: 'xoxb-1',
  apiUrl: slack.api,
  ...(mode === 'socket' ? { mode, appToken: 'xapp-1' } : { mode, signingSecret: SIGNING_SECRET }),
});

/** The real Bolt, connected to the small Slack, before a scripted dispatcher. */
export async function connected(mode: Mode, replies: Replies = {}, probes: Partial<Probes> = {}) {
  const slack = await fakeSlack();
  const log = memoryLog();
  const fatal: string[] = [];
  const { dispatcher, called, calls } = scripted(replies);
  const settings = settingsOf(mode, slack);
  const access = await openSlack(settings, { clock: wallClock, log });
  const app = createSlackApp({
    settings,
    access,
    dispatcher,
    http: { host: '127.0.0.1', port: 0 },
    probes: { live: () => ({ ok: true }), ready: () => ({ ok: true }), ...probes },
    onFatal: (message) => void fatal.push(message),
    clock: wallClock,
    log,
  });
  await app.start();
  const base = `http://127.0.0.1:${app.port()}`;
  let envelopes = 0;

  /** Slack sends this and waits `patience` ms for the ack. */
  async function deliver(payload: object, patience = 1_500): Promise<Outcome> {
    if (mode === 'http') {
      const interaction = !('event' in payload);
      const body = interaction ? `payload=${encodeURIComponent(JSON.stringify(payload))}` : JSON.stringify(payload);
      const request = signed(body, interaction ? { type: 'application/x-www-form-urlencoded' } : {});
      const res = await fetch(`${base}/slack/events`, request);
      const text = await res.text();
      return { acked: res.status === 200, status: res.status, ...(text && { response: JSON.parse(text) }) };
    }
    const id = `E${++envelopes}`;
    slack.send({ type: 'event' in payload ? 'events_api' : 'interactive', envelope_id: id, payload });
    for (const end = Date.now() + patience; Date.now() < end; await wallClock.sleep(5)) {
      const ack = slack.acks.find(({ envelope_id }) => envelope_id === id);
      if (ack) return { acked: true, ...(Object.keys(ack.payload ?? {}).length > 0 && { response: ack.payload }) };
    }
    return { acked: false };
  }

  return {
    slack,
    log,
    app,
    fatal,
    called,
    calls,
    base,
    deliver,
    post: (path: string, request: RequestInit) => fetch(`${base}${path}`, request),
    async [Symbol.asyncDispose]() {
      await app.stop(5_000);
      await slack[Symbol.asyncDispose]();
    },
  };
}
