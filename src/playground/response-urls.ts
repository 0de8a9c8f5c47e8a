import type { Clock, Windows } from './clock.ts';
import type { Ids } from './ids.ts';
import { isObject, parseJson, stringOr } from './json.ts';
import { isRefusal, readContent } from './message-content.ts';
import type { Posts } from './posts.ts';
import type { TrafficLog } from './traffic.ts';
import type { StoredMessage, Workspace } from './workspace.ts';

/** Slack takes 5 uses of a response URL. */
const MOST_USES = 5;

type Origin = { user: string; channel: string; message?: string; thread_ts?: string };
type Issued = Origin & { at: number; uses: number };

export type UrlAnswer = { status: number; body: string };

export type ResponseUrls = ReturnType<typeof createResponseUrls>;

/** The `response_url` of interactions: the way to ephemeral messages, which chat.update cannot reach. Failures are plain text. */
export function createResponseUrls(deps: {
  ws: Workspace;
  posts: Posts;
  clock: Clock;
  windows: Windows;
  ids: Ids;
  traffic: TrafficLog;
}) {
  const { ws, posts, clock, windows, ids, traffic } = deps;
  const issued = new Map<string, Issued>();

  function use(path: string, body: string): UrlAnswer {
    const url = issued.get(path);
    if (!url) return { status: 404, body: 'used_url' };
    if (url.uses >= MOST_USES) return { status: 404, body: 'used_url' };
    if (clock.now() - url.at > windows.responseUrl) return { status: 404, body: 'expired_url' };
    const channel = ws.channels.get(url.channel);
    if (!channel || channel.archived) return { status: 404, body: 'channel_not_found' };
    const args = parseJson(body);
    if (!isObject(args)) return { status: 400, body: 'invalid_payload' };
    url.uses += 1;
    const original = url.message === undefined ? undefined : ws.find(url.channel, url.message);
    if (args.delete_original === true) {
      if (!original) return { status: 404, body: 'message_not_found' };
      posts.remove(original);
      return { status: 200, body: 'ok' };
    }
    const content = readContent(args, ids);
    if (isRefusal(content)) return { status: 400, body: content.error };
    const { warnings: _, ...said } = content;
    if (args.replace_original === true) {
      if (!original) return { status: 404, body: 'message_not_found' };
      const { blocks: _blocks, attachments: _attachments, ...kept } = original;
      const edited = original.ephemeralTo ? {} : { edited: { user: ws.app.botUser, ts: ws.nextTs() } };
      posts.edit(original, { ...kept, ...said, ...edited } as StoredMessage);
      return { status: 200, body: 'ok' };
    }
    const thread = stringOr(args.thread_ts, url.thread_ts ?? '');
    posts.post({
      channel: url.channel,
      user: ws.app.botUser,
      ...said,
      ...(thread === '' ? {} : { thread_ts: thread }),
      ...(args.response_type === 'in_channel' ? {} : { ephemeralTo: url.user }),
    });
    return { status: 200, body: 'ok' };
  }

  return {
    issue(origin: Origin): string {
      const path = `/actions/${ws.team.id}/${ids.hex(13)}/${ids.hex(24)}`;
      issued.set(path, { ...origin, at: clock.now(), uses: 0 });
      for (const old of issued.keys()) {
        if (issued.size <= 5_000) break;
        issued.delete(old);
      }
      return ws.origin() + path;
    },

    use(path: string, body: string): UrlAnswer {
      const answer = use(path, body);
      const request = parseJson(body) ?? body;
      const ok = answer.status === 200;
      traffic.log({
        kind: 'response_url',
        title: 'response_url',
        ok,
        request,
        response: answer.body,
        ...(ok ? {} : { warning: `Refused: ${answer.status} ${answer.body}` }),
      });
      return answer;
    },
  };
}
