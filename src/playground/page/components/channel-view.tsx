import { useEffect, useState } from 'react';
import { useDesk } from '../desk.ts';
import { channelLabel, channelMessages, dmPartner, promptsOf } from '../perspective.ts';
import { Composer } from './composer.tsx';
import { Home } from './home.tsx';
import { Invite } from './invite.tsx';
import { Members } from './members.tsx';
import { MessageList } from './message-list.tsx';
import { Prompts } from './prompts.tsx';
import { Welcome } from './welcome.tsx';

export function ChannelView() {
  const { world, me, place, go, act } = useDesk();
  const channel = place.channel === undefined ? undefined : world.channels[place.channel];
  const [details, setDetails] = useState(false);
  const isApp = channel?.kind === 'dm' && dmPartner(channel, me.id) === world.app.botUser;
  const home = isApp && place.tab === 'home';
  useEffect(() => {
    if (isApp) void act({ do: 'open_home', tab: home ? 'home' : 'messages' });
  }, [isApp, home, act]);
  const newChat = async (): Promise<void> => {
    const done = await act({ do: 'start_chat' });
    if (done.ok && done.channel && done.ts) go({ channel: done.channel, thread: done.ts });
  };
  if (!channel) return <main className="channel waiting">There is no channel that {me.realName} can see.</main>;
  const label = channelLabel(world, channel, me.id);
  const messages = channelMessages(world, channel.id, me.id);
  return (
    <main className="channel" aria-label={label}>
      <header className="pane-head">
        <h2>{label}</h2>
        {channel.topic && <span className="topic">{channel.topic}</span>}
        {channel.archived && <span className="tag">archived</span>}
        <span className="grow" />
        {isApp && world.app.view === 'assistant' && (
          <button type="button" className="button button-small" onClick={newChat}>
            New chat
          </button>
        )}
        {isApp ? (
          <div className="tabs" role="tablist" aria-label={label}>
            <button type="button" role="tab" aria-selected={!home} onClick={() => go({ channel: channel.id })}>
              {world.app.view === 'plain' ? 'Messages' : 'Chat'}
            </button>
            <button
              type="button"
              role="tab"
              aria-selected={home}
              onClick={() => go({ channel: channel.id, tab: 'home' })}
            >
              Home
            </button>
          </div>
        ) : (
          <button
            type="button"
            className="button button-small"
            aria-expanded={details}
            onClick={() => setDetails(!details)}
          >
            {channel.members.length} members
          </button>
        )}
      </header>
      {details && <Members channel={channel} />}
      {home ? (
        <Home />
      ) : (
        <>
          <MessageList messages={messages} place="channel">
            {messages.length === 0 && (
              <p className="empty">
                This is the very beginning of <strong>{label}</strong>. Nobody has written here yet.
              </p>
            )}
          </MessageList>
          <div className="pane-foot">
            <Welcome />
            <Invite channel={channel} />
            {isApp && <Prompts offered={promptsOf(world, channel.id, undefined)} />}
            <Composer channel={channel} label={`Message ${label}`} />
          </div>
        </>
      )}
    </main>
  );
}
