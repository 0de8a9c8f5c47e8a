import { useMemo, useState } from 'react';
import type { Block, PlaygroundMessage } from '../../protocol.ts';
import { Blocks } from '../blocks/block.tsx';
import { FormProvider } from '../blocks/form.tsx';
import { StreamTasks } from '../blocks/tasks.tsx';
import { Emoji, Mrkdwn } from '../blocks/text.tsx';
import { fullTime, timeOf, tsToMs } from '../dates.ts';
import { useDesk } from '../desk.ts';
import { nameOf } from '../perspective.ts';
import { asBlocks, asObjects } from '../read-json.ts';
import { Attachments } from './attachments.tsx';
import { Avatar } from './avatar.tsx';
import { EditBox, MessageTools, ReplyLink } from './message-tools.tsx';

type Props = { message: PlaygroundMessage; place: 'channel' | 'thread'; compact: boolean };

export function Message({ message, place, compact }: Props) {
  const { world, me, go } = useDesk();
  const [editing, setEditing] = useState(false);
  const author = world.users[message.user];
  const name = nameOf(world, message.user);
  const ms = tsToMs(message.ts);
  const className = ['message', compact ? 'message-compact' : '', message.ephemeralTo ? 'message-private' : ''];
  return (
    <article className={className.join(' ')} aria-label={`Message from ${name}`} data-ts={message.ts}>
      {message.ephemeralTo && <p className="private-note">👁 Only visible to you</p>}
      {message.subtype === 'thread_broadcast' && (
        <p className="private-note">
          {place === 'thread' ? 'Also sent to the channel' : 'Replied to a thread'}
          {place === 'channel' && message.thread_ts && (
            <button
              type="button"
              className="link-button"
              onClick={() => go({ channel: message.channel, thread: message.thread_ts ?? '' })}
            >
              Open thread
            </button>
          )}
        </p>
      )}
      <div className="message-row">
        <div className="message-side">
          {compact ? (
            <time className="side-time" title={fullTime(ms, me)}>
              {timeOf(ms, me).replace(/\s?[AP]M$/i, '')}
            </time>
          ) : (
            <Avatar user={author} size={36} />
          )}
        </div>
        <div className="message-main">
          {!compact && (
            <div className="message-head">
              <strong className="author">{name}</strong>
              {(message.bot_id || author?.isBot) && <span className="tag">APP</span>}
              {author?.isGuest && <span className="tag">guest</span>}
              {author?.team && author.team !== world.team.id && <span className="tag">external</span>}
              <time title={fullTime(ms, me)}>{timeOf(ms, me)}</time>
            </div>
          )}
          {editing ? <EditBox message={message} onEnd={() => setEditing(false)} /> : <MessageBody message={message} />}
          {place === 'channel' && <ReplyLink message={message} />}
        </div>
        {!editing && <MessageTools message={message} place={place} onEdit={() => setEditing(true)} />}
      </div>
    </article>
  );
}

function MessageBody({ message }: { message: PlaygroundMessage }) {
  const { channel, ts } = message;
  const container = useMemo(() => ({ type: 'message' as const, channel, ts }), [channel, ts]);
  const blocks = useMemo(() => asBlocks(message.blocks), [message.blocks]);
  // One form for the whole message: a button in an attachment sends the state of the blocks above it too.
  const all = useMemo(
    (): Block[] => [...blocks, ...asObjects(message.attachments).flatMap((one) => asBlocks(one.blocks as never))],
    [blocks, message.attachments],
  );
  const files = message.files ?? [];
  const edited = message.edited && <span className="edited"> (edited)</span>;
  return (
    <div className={message.streaming ? 'body streaming' : 'body'}>
      {message.tasks && message.tasks.length > 0 && <StreamTasks tasks={message.tasks} />}
      <FormProvider container={container} blocks={all}>
        {blocks.length > 0 ? (
          <>
            <Blocks blocks={blocks} />
            {edited}
          </>
        ) : (
          <div className="text">
            <Mrkdwn text={message.text} />
            {message.streaming && <span className="cursor" role="img" aria-label="still writing" />}
            {edited}
          </div>
        )}
        {message.streaming && blocks.length > 0 && <span className="cursor" role="img" aria-label="still writing" />}
        {message.attachments && <Attachments attachments={message.attachments} />}
      </FormProvider>
      {files.map((file) => (
        <div key={file.id} className="file">
          <span aria-hidden="true">📄</span>
          <div>
            <strong>{file.name}</strong>
            <div className="choice-more">
              {file.mimetype} · {sizeOf(file.size)}
            </div>
          </div>
        </div>
      ))}
      <Reactions message={message} />
    </div>
  );
}

function Reactions({ message }: { message: PlaygroundMessage }) {
  const { world, me } = useDesk();
  const reactions = message.reactions ?? [];
  if (reactions.length === 0) return null;
  return (
    <div className="reactions">
      {reactions.map((reaction) => (
        <span
          key={reaction.name}
          className={reaction.users.includes(me.id) ? 'reaction reaction-mine' : 'reaction'}
          title={reaction.users.map((id) => nameOf(world, id)).join(', ')}
        >
          <Emoji name={reaction.name} /> {reaction.users.length}
        </span>
      ))}
    </div>
  );
}

function sizeOf(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
