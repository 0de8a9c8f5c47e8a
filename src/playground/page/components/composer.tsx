/** Where one writes: Enter sends, Shift+Enter breaks the line, `@` completes a name. */
import { type KeyboardEvent, useCallback, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { PlaygroundChannel, PlaygroundUser } from '../../protocol.ts';
import { Popup } from '../blocks/popup.tsx';
import { mentionAt, mentionCandidates, toSlack } from '../compose.ts';
import { useDesk } from '../desk.ts';
import { channelLabel } from '../perspective.ts';
import { type Attached, readAttached } from './attach.ts';
import { MentionList } from './mention-list.tsx';

export function Composer({
  channel,
  threadTs,
  label,
}: {
  channel: PlaygroundChannel;
  threadTs?: string;
  label: string;
}) {
  const { world, me, act, notify } = useDesk();
  const [typed, setTyped] = useState('');
  const [caret, setCaret] = useState(0);
  const [active, setActive] = useState(0);
  const [dismissed, setDismissed] = useState(-1);
  const [broadcast, setBroadcast] = useState(false);
  const [files, setFiles] = useState<Attached[]>([]);
  const box = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const listId = useId();
  const users = Object.values(world.users);
  const mention = mentionAt(typed, caret);
  const candidates = mention && mention.from !== dismissed ? mentionCandidates(users, mention.query) : [];
  const closeList = useCallback(() => setDismissed(mention?.from ?? -1), [mention?.from]);

  const complete = (user: PlaygroundUser): void => {
    if (!mention) return;
    const name = `@${user.realName || user.name} `;
    const at = mention.from + name.length;
    // Written at once: a caret that moves a frame later would scramble what is typed meanwhile.
    flushSync(() => {
      setTyped(typed.slice(0, mention.from) + name + typed.slice(caret));
      setCaret(at);
    });
    field.current?.setSelectionRange(at, at);
    field.current?.focus();
  };
  const send = async (): Promise<void> => {
    if (!typed.trim() && files.length === 0) return;
    const text = toSlack(typed.trim(), {
      users,
      channels: Object.values(world.channels),
      userGroups: world.userGroups,
    });
    setTyped('');
    setFiles([]);
    setDismissed(-1);
    const done = await act({
      do: 'say',
      channel: channel.id,
      text,
      ...(threadTs === undefined ? {} : { thread_ts: threadTs }),
      ...(broadcast ? { broadcast } : {}),
      ...(files.length > 0 ? { files } : {}),
    });
    if (done.ok) setBroadcast(false);
    else {
      // What was refused comes back, unless the person has gone on writing.
      setTyped((now) => now || typed);
      setFiles(files);
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const picked = candidates[active % Math.max(1, candidates.length)];
    if (picked) {
      const step = { ArrowDown: 1, ArrowUp: candidates.length - 1 }[event.key];
      if (step !== undefined) setActive((active + step) % candidates.length);
      else if (event.key === 'Enter' || event.key === 'Tab') complete(picked);
      else if (event.key === 'Escape') closeList();
      else return;
      event.preventDefault();
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      void send();
    }
  };
  const attach = async (list: FileList | null): Promise<void> => {
    try {
      setFiles([...files, ...(await readAttached([...(list ?? [])]))]);
    } catch (error) {
      notify(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <div ref={box}>
        <textarea
          ref={field}
          aria-label={label}
          placeholder={channel.archived ? `${channelLabel(world, channel, me.id)} is archived` : label}
          rows={1}
          value={typed}
          aria-controls={candidates.length > 0 ? listId : undefined}
          aria-activedescendant={candidates.length > 0 ? `${listId}-${active % candidates.length}` : undefined}
          aria-autocomplete="list"
          onChange={(event) => {
            setTyped(event.target.value);
            setCaret(event.target.selectionStart);
            setActive(0);
          }}
          onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
          onKeyDown={onKeyDown}
        />
      </div>
      {candidates.length > 0 && (
        <Popup anchor={box} onClose={closeList}>
          <MentionList id={listId} users={candidates} active={active % candidates.length} onPick={complete} />
        </Popup>
      )}
      {files.length > 0 && (
        <div className="attached">
          {files.map((file, index) => (
            <span key={index} className="chip">
              <span className="chip-text">📄 {file.name}</span>
              <button
                type="button"
                aria-label={`Remove ${file.name}`}
                onClick={() => setFiles(files.toSpliced(index, 1))}
              >
                ✕
              </button>
            </span>
          ))}
        </div>
      )}
      <div className="composer-foot">
        <label className="icon-button attach" title="Attach a file">
          <input type="file" multiple aria-label="Attach a file" onChange={(event) => attach(event.target.files)} />
          <span aria-hidden="true">＋</span>
        </label>
        {threadTs !== undefined && (channel.kind === 'channel' || channel.kind === 'private') && (
          <label className="broadcast">
            <input type="checkbox" checked={broadcast} onChange={(event) => setBroadcast(event.target.checked)} />
            Also send to #{channel.name}
          </label>
        )}
        <span className="grow" />
        <span className="composer-hint" aria-hidden="true">
          as {me.realName || me.name}
        </span>
        <button type="submit" className="send" aria-label="Send" disabled={!typed.trim() && files.length === 0}>
          <svg viewBox="0 0 20 20" width="16" height="16" aria-hidden="true">
            <path d="M3 3l15 7-15 7 2.5-7z" fill="currentColor" />
          </svg>
        </button>
      </div>
    </form>
  );
}
