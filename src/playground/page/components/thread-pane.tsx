import { useDesk } from '../desk.ts';
import { channelLabel, promptsOf, threadMessages } from '../perspective.ts';
import { Composer } from './composer.tsx';
import { MessageList } from './message-list.tsx';
import { Prompts } from './prompts.tsx';
import { StatusLine } from './status-line.tsx';

export function ThreadPane({ channel: id, threadTs }: { channel: string; threadTs: string }) {
  const { world, me, go } = useDesk();
  const channel = world.channels[id];
  if (!channel) return null;
  const messages = threadMessages(world, id, threadTs, me.id);
  return (
    <aside className="thread" aria-label="Thread">
      <header className="pane-head">
        <h2>Thread</h2>
        <span className="topic">{channelLabel(world, channel, me.id)}</span>
        <span className="grow" />
        <button type="button" className="icon-button" aria-label="Close thread" onClick={() => go({ channel: id })}>
          ✕
        </button>
      </header>
      <MessageList messages={messages} place="thread">
        {messages.length === 0 && <p className="empty">This message is gone, or {me.realName} cannot see it.</p>}
      </MessageList>
      <div className="pane-foot">
        <StatusLine channel={id} threadTs={threadTs} />
        <Prompts offered={promptsOf(world, id, threadTs)} />
        <Composer channel={channel} threadTs={threadTs} label="Reply in thread" />
      </div>
    </aside>
  );
}
