/**
 * The calls of a bot that does what Slack's pages and Bolt's starter show, and no more: it says that it is thinking, asks who
 * wrote, posts; and lets Slack's own helper stream what the model says. Only to be counted beside ours.
 */
import { WebClient } from '@slack/web-api';
import type { World } from './world.ts';

export function straightforward(
  { slack }: World,
  { as, channel, team }: { as: string; channel: string; team: string },
) {
  const client = new WebClient(slack.botToken, { slackApiUrl: slack.apiUrl });
  const think = (thread_ts: string, status = 'is thinking…') =>
    client.assistant.threads.setStatus({ channel_id: channel, thread_ts, status });
  const blocks = [{ type: 'section' as const, text: { type: 'plain_text' as const, text: 'Where to?' } }];

  async function hears(thread_ts: string): Promise<void> {
    await client.users.info({ user: as });
    await think(thread_ts);
  }

  return {
    async question(thread_ts: string): Promise<string> {
      await hears(thread_ts);
      const { ts } = await client.chat.postMessage({ channel, thread_ts, text: 'Where to?', blocks });
      await think(thread_ts, '');
      return ts as string;
    },
    /** A click: who it was, the card as a receipt, and the reply. */
    async answer(thread_ts: string, card: string, deltas: readonly string[]): Promise<void> {
      await hears(thread_ts);
      await client.chat.update({ channel, ts: card, text: 'Where to? a', blocks });
      await stream(thread_ts, deltas);
    },
    async reply(thread_ts: string, deltas: readonly string[]): Promise<void> {
      await hears(thread_ts);
      await stream(thread_ts, deltas);
    },
    /** Where there are no streams: a message that is edited as often as the helper would add to a stream. */
    async replyByEdits(thread_ts: string, deltas: readonly string[]): Promise<void> {
      await client.users.info({ user: as });
      const [first = '', ...more] = deltas.join('').match(/.{1,256}/gs) ?? [];
      let text = first;
      const { ts } = await client.chat.postMessage({ channel, thread_ts, text });
      for (const piece of more) {
        text += piece;
        await client.chat.update({ channel, ts: ts as string, text });
      }
    },
  };

  /** Slack's helper adds to a stream whenever it has 256 characters. */
  async function stream(thread_ts: string, deltas: readonly string[]): Promise<void> {
    const stream = client.chatStream({ channel, thread_ts, recipient_user_id: as, recipient_team_id: team });
    for (const markdown_text of deltas) await stream.append({ markdown_text });
    await stream.stop();
  }
}
