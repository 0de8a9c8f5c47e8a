/** What one can do with a message: reply, and edit or delete one's own. */
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { PlaygroundMessage } from '../../protocol.ts';
import { fromSlack, toSlack } from '../compose.ts';
import { ago, tsToMs } from '../dates.ts';
import { useDesk } from '../desk.ts';
import { repliesOf, statusOf } from '../perspective.ts';
import { Avatar } from './avatar.tsx';

export function MessageTools(props: { message: PlaygroundMessage; place: 'channel' | 'thread'; onEdit(): void }) {
  const { message, place, onEdit } = props;
  const { world, me, go, act } = useDesk();
  const { channel, ts } = message;
  const own = message.user === me.id && !message.ephemeralTo;
  const thread = message.thread_ts ?? ts;
  const { shortcuts } = world.app;
  if (message.ephemeralTo || (place === 'thread' && !own && shortcuts.length === 0)) return null;
  return (
    <div className="tools">
      {place === 'channel' && (
        <button
          type="button"
          className="icon-button"
          aria-label="Reply in a thread"
          title="Reply in a thread"
          onClick={() => go({ channel, thread })}
        >
          💬
        </button>
      )}
      {shortcuts.map(({ name, callback_id }) => (
        <button
          key={callback_id}
          type="button"
          className="icon-button"
          aria-label={name}
          title={name}
          onClick={() => act({ do: 'shortcut', channel, ts, callback_id })}
        >
          ⚡
        </button>
      ))}
      {own && (
        <>
          <button type="button" className="icon-button" aria-label="Edit message" title="Edit" onClick={onEdit}>
            ✎
          </button>
          <button
            type="button"
            className="icon-button"
            aria-label="Delete message"
            title="Delete"
            onClick={() => act({ do: 'delete', channel, ts })}
          >
            🗑
          </button>
        </>
      )}
    </div>
  );
}

export function EditBox({ message, onEnd }: { message: PlaygroundMessage; onEnd(): void }) {
  const { world, act } = useDesk();
  const names = {
    users: Object.values(world.users),
    channels: Object.values(world.channels),
    userGroups: world.userGroups,
  };
  const [typed, setTyped] = useState(() => fromSlack(message.text, names));
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const save = async (): Promise<void> => {
    const done = await act({ do: 'edit', channel: message.channel, ts: message.ts, text: toSlack(typed, names) });
    if (done.ok) onEnd();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') onEnd();
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void save();
  };
  return (
    <div className="edit-box">
      <textarea
        className="field"
        aria-label="Edit message"
        ref={field}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <button type="button" className="button button-small" onClick={onEnd}>
        Cancel
      </button>
      <button type="button" className="button button-small button-primary" disabled={!typed.trim()} onClick={save}>
        Save
      </button>
    </div>
  );
}

export function ReplyLink({ message }: { message: PlaygroundMessage }) {
  const { world, me, go, now } = useDesk();
  const replies = repliesOf(world, message, me.id);
  const status = statusOf(world, message.channel, message.ts, now());
  if (!replies && !status?.status) return null;
  return (
    <button type="button" className="reply-link" onClick={() => go({ channel: message.channel, thread: message.ts })}>
      {replies?.users.map((id) => (
        <Avatar key={id} user={world.users[id]} size={22} />
      ))}
      {replies && <strong>{replies.count === 1 ? '1 reply' : `${replies.count} replies`}</strong>}
      <span className="choice-more">
        {status?.status ? `${world.app.name} ${status.status}` : replies && ago(tsToMs(replies.last), me, now())}
      </span>
    </button>
  );
}
