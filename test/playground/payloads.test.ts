import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../../src/playground/protocol.ts';
import { type Playground, startPlayground } from '../../src/playground/server.ts';
import { bot, button, clientOf, general, mara, section } from './bolt-app.ts';

type Envelope = { type: string; envelope_id: string; payload: { [key: string]: Json } };

const folder = fileURLToPath(new URL('../../../shared/data/payloads/', import.meta.url));
const present = existsSync(folder);
const recorded = (file: string, ...path: string[]): { [key: string]: Json } => {
  let at = JSON.parse(readFileSync(folder + file, 'utf8'));
  for (const key of path) at = at[key];
  return at;
};

let slack: Playground;
let socket: WebSocket;
const envelopes: Envelope[] = [];

/** The bot is a bare socket: it acks all and keeps what came. */
beforeAll(async () => {
  slack = await startPlayground();
  const open = (await clientOf(slack, slack.appToken).apps.connections.open({})) as { url: string };
  socket = new WebSocket(open.url);
  const hello = Promise.withResolvers<void>();
  socket.onmessage = ({ data }) => {
    const frame = JSON.parse(String(data));
    if (frame.type === 'hello') return hello.resolve();
    envelopes.push(frame);
    socket.send(JSON.stringify({ envelope_id: frame.envelope_id }));
  };
  await hello.promise;
});
afterAll(async () => {
  socket.close();
  await slack.close();
});

async function next(matches: (payload: { [key: string]: Json }) => boolean): Promise<{ [key: string]: Json }> {
  return expect
    .poll(() => envelopes.find((envelope) => matches(envelope.payload))?.payload)
    .toBeDefined()
    .then(() => envelopes.find((envelope) => matches(envelope.payload))?.payload ?? {});
}
const event = async (type: string, text: string) =>
  next((payload) => {
    const inner = payload.event as { [key: string]: Json } | undefined;
    return inner?.type === type && inner.text === text;
  });

const keys = (value: Json | undefined) => Object.keys(value as object).toSorted();
/** Of the recorded keys those that we do not send. `ignored`: of other workspaces, or of what was cut from the recording. */
const missing = (theirs: Json | undefined, ours: Json | undefined, ignored: string[] = []) =>
  keys(theirs).filter((key) => !keys(ours).includes(key) && !ignored.includes(key));

describe.skipIf(!present)(
  `recorded payloads${present ? '' : ' (skipped: ../shared/data/payloads is not here)'}`,
  () => {
    test.for([
      ['modals-slack.json', 'mention', 'app_mention'],
      ['channel-mention-slack.json', 'mention', 'message'],
      ['streaming-slack.json', 'aiMention', 'message'],
      ['slack-multi-workspace-team1.json', 'mention', 'app_mention'],
    ] as const)('%s %s: our event has its keys', async ([file, name, type]) => {
      const theirs = recorded(file, name);
      const text = `<@${bot}> ${file}`;
      await slack.do({ as: mara, do: 'say', channel: general, text });
      const ours = await event(type, text);
      expect(missing(theirs, ours, ['enterprise_id'])).toEqual([]);
      expect(missing(theirs.event, ours.event)).toEqual([]);
      if (type === 'app_mention') expect(ours.event).not.toHaveProperty('channel_type');
    });

    test('a reply in a thread, and a DM', async () => {
      const root = await slack.do({ as: mara, do: 'say', channel: general, text: 'root' });
      await slack.do({
        as: mara,
        do: 'say',
        channel: general,
        text: 'reply',
        thread_ts: root.ok ? (root.ts ?? '') : '',
      });
      const reply = await event('message', 'reply');
      expect(missing(recorded('streaming-slack.json', 'threadFollowUp', 'event'), reply.event)).toEqual([]);
      await slack.do({ as: mara, do: 'say', channel: 'D0MARA0001', text: 'privately' });
      const dm = await event('message', 'privately');
      expect(missing(recorded('dm-slack-direct.json', 'directDM', 'event'), dm.event)).toEqual([]);
      expect(dm.event).toMatchObject({ channel_type: 'im' });
    });

    test('the bot’s own message', async () => {
      const root = await slack.do({ as: mara, do: 'say', channel: general, text: 'root 2' });
      await clientOf(slack).chat.postMessage({
        channel: general,
        text: 'own',
        thread_ts: root.ok ? (root.ts ?? '') : '',
      });
      const own = await event('message', 'own');
      expect(missing(recorded('streaming-slack.json', 'promptMessage', 'event'), own.event)).toEqual([]);
      expect(own.event).toMatchObject({ user: bot, bot_id: 'B0ASKBACK1' });
      expect(own.event).not.toHaveProperty('subtype');
    });

    test('somebody joins', async () => {
      await slack.do({ as: mara, do: 'invite', channel: general, user: 'U0OTHER001' });
      const joined = await next((payload) => (payload.event as { type?: string })?.type === 'member_joined_channel');
      const theirs = recorded('member-joined-channel-slack.json', 'memberJoinedChannel');
      expect(missing(theirs.event, joined.event)).toEqual([]);
    });

    async function clicked(text: string, more: object, send: (blocks: never) => Promise<{ ts: string }>) {
      const blocks = [section(text, { block_id: 'b', accessory: { ...button(text), style: 'primary' }, ...more })];
      const { ts } = await send(blocks as never);
      const container = { type: 'message' as const, channel: general, ts };
      await slack.do({
        as: mara,
        do: 'interact',
        container,
        block_id: 'b',
        action_id: text,
        action: { type: 'button' },
      });
      return next(
        (payload) =>
          payload.type === 'block_actions' && (payload.actions as { action_id: string }[])[0]?.action_id === text,
      );
    }

    test('a click on a message, and on an ephemeral one', async () => {
      const client = clientOf(slack);
      const root = await slack.do({ as: mara, do: 'say', channel: general, text: 'root 3' });
      const thread_ts = root.ok ? (root.ts ?? '') : '';
      const theirs = recorded('modals-slack.json', 'action');
      const ours = await clicked('one', {}, async (blocks) => {
        const answer = await client.chat.postMessage({ channel: general, text: 'c', blocks, thread_ts });
        return { ts: String(answer.ts) };
      });
      expect(missing(theirs, ours)).toEqual([]);
      for (const part of ['user', 'container', 'team', 'channel', 'message'] as const) {
        expect(missing(theirs[part], ours[part]), part).toEqual([]);
      }
      const ephemeral = recorded('modals-slack.json', 'ephemeralAction');
      const own = await clicked('two', {}, async (blocks) => {
        const answer = await client.chat.postEphemeral({ channel: general, user: mara, text: 'c', blocks, thread_ts });
        return { ts: String(answer.message_ts) };
      });
      expect(keys(own)).toEqual(keys(ephemeral));
      expect(missing((ephemeral.actions as Json[])[0], (own.actions as Json[])[0])).toEqual([]);
      expect(own.container).toMatchObject({ is_ephemeral: true });
    });

    test('a submission', async () => {
      const trigger = envelopes.findLast((envelope) => envelope.payload.type === 'block_actions')?.payload.trigger_id;
      const plain = (text: string) => ({ type: 'plain_text' as const, text });
      const input = {
        type: 'input',
        block_id: 'in',
        label: plain('L'),
        element: { type: 'plain_text_input', action_id: 'a' },
      };
      const opened = await clientOf(slack).views.open({
        trigger_id: String(trigger),
        view: { type: 'modal', title: plain('T'), submit: plain('Go'), blocks: [input as never] },
      });
      const view = opened.view?.id ?? '';
      await slack.do({
        as: mara,
        do: 'submit_view',
        view,
        state: { in: { a: { type: 'plain_text_input', value: 'Hi' } } },
      });
      const ours = await next((payload) => payload.type === 'view_submission');
      const theirs = recorded('modals-slack.json', 'viewSubmission');
      expect(keys(ours)).toEqual(keys(theirs));
      expect(keys(ours.view)).toEqual(keys(theirs.view));
      expect((ours.view as { state: Json }).state).toEqual({
        values: { in: { a: { type: 'plain_text_input', value: 'Hi' } } },
      });
    });
  },
);

test('events that the manifest does not subscribe to, and those of channels without the bot, never come', async () => {
  const manifest = {
    oauth_config: { scopes: { bot: ['chat:write', 'app_mentions:read'] } },
    settings: { event_subscriptions: { bot_events: ['app_mention', 'message.channels'] } },
  };
  await using narrow = await startPlayground({ manifest });
  const open = (await clientOf(narrow, narrow.appToken).apps.connections.open({})) as { url: string };
  const types: string[] = [];
  const bare = new WebSocket(open.url);
  bare.onmessage = ({ data }) => {
    const frame = JSON.parse(String(data));
    if (frame.type === 'hello') return;
    types.push(frame.payload.event.text);
    bare.send(JSON.stringify({ envelope_id: frame.envelope_id }));
  };
  await narrow.wait((state) => state.bot.sockets === 1);
  expect(narrow.state().traffic.some((line) => line.warning?.includes('without the scope channels:history'))).toBe(
    true,
  );
  await narrow.do({ as: mara, do: 'say', channel: general, text: 'plain' });
  await narrow.do({ as: mara, do: 'say', channel: 'C0NOBOT001', text: `<@${bot}> where the bot is not` });
  await narrow.do({ as: mara, do: 'say', channel: general, text: `<@${bot}> last` });
  await expect.poll(() => types).toEqual([`<@${bot}> last`]);
  bare.close();
});
