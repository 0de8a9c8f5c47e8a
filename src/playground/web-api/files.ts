import { isObject, listOr, stringOr } from '../json.ts';
import { wireFile } from '../wire.ts';
import { type Methods, postingTarget, refuse, threadRoot } from './method.ts';

export const fileMethods: Methods = {
  'files.getUploadURLExternal': {
    token: 'bot',
    tier: 4,
    scopes: ['files:write'],
    args: { filename: 'string', length: 'number', alt_txt: 'string', snippet_type: 'string' },
    required: ['filename', 'length'],
    run(args, { files, ws }) {
      const { id, path } = files.begin(stringOr(args.filename), Number(args.length));
      return { ok: true, file_id: id, upload_url: ws.origin() + path };
    },
  },
  'files.completeUploadExternal': {
    token: 'bot',
    tier: 4,
    scopes: ['files:write'],
    args: {
      files: 'json',
      channel_id: 'string',
      channels: 'string',
      thread_ts: 'string',
      initial_comment: 'string',
      blocks: 'json',
    },
    required: ['files'],
    run(args, context) {
      const { ws, files, posts } = context;
      const done = listOr(args.files).map((entry) => files.complete(isObject(entry) ? stringOr(entry.id) : ''));
      const uploaded = done.filter((file) => file !== undefined);
      if (uploaded.length === 0 || uploaded.length < done.length) return refuse('file_not_found');
      if (args.channel_id !== undefined) {
        const channel = postingTarget(context, args.channel_id);
        if ('error' in channel) return refuse('invalid_channel');
        const thread = threadRoot(context, channel.id, args.thread_ts);
        if (typeof thread === 'object') return refuse(thread.error);
        posts.post({
          channel: channel.id,
          user: ws.app.botUser,
          subtype: 'file_share',
          text: stringOr(args.initial_comment),
          files: uploaded,
          ...(thread === undefined ? {} : { thread_ts: thread }),
        });
      }
      return { ok: true, files: uploaded.map((file) => wireFile(ws, file, ws.app.botUser)) };
    },
  },
  'files.info': {
    token: 'bot',
    tier: 4,
    scopes: ['files:read'],
    args: { file: 'string', cursor: 'string', limit: 'number' },
    required: ['file'],
    run(args, { ws, files }) {
      const file = files.get(stringOr(args.file));
      return file ? { ok: true, file: wireFile(ws, file, '') } : refuse('file_not_found');
    },
  },
};
