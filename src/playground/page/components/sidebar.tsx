import type { PlaygroundChannel } from '../../protocol.ts';
import { useDesk } from '../desk.ts';
import { botDm, channelTitle, dmPartner, unreadOf, visibleChannels } from '../perspective.ts';
import { Avatar } from './avatar.tsx';
import { BotCard } from './bot-card.tsx';

export function Sidebar() {
  const { world, me, act, go } = useDesk();
  const channels = visibleChannels(world, me);
  const rooms = channels.filter((channel) => channel.kind === 'channel' || channel.kind === 'private');
  const app = botDm(world, me.id);
  const direct = channels.filter((channel) => !rooms.includes(channel) && channel !== app);
  const bot = world.users[world.app.botUser];
  const openApp = async (): Promise<void> => {
    if (app) return go({ channel: app.id });
    const done = await act({ do: 'open_dm' });
    if (done.ok && done.channel) go({ channel: done.channel });
  };
  return (
    <aside className="sidebar">
      <nav aria-label="Channels">
        <h2>Channels</h2>
        <ul>
          {rooms.map((channel) => (
            <Row key={channel.id} channel={channel} />
          ))}
        </ul>
        {direct.length > 0 && (
          <>
            <h2>Direct messages</h2>
            <ul>
              {direct.map((channel) => (
                <Row key={channel.id} channel={channel} />
              ))}
            </ul>
          </>
        )}
        <h2>Apps</h2>
        <ul>
          {app ? (
            <Row channel={app} />
          ) : (
            <li>
              <button type="button" className="row" onClick={openApp}>
                <Avatar user={bot} size={20} />
                <span className="row-name">{world.app.name}</span>
              </button>
            </li>
          )}
        </ul>
      </nav>
      <BotCard />
    </aside>
  );
}

function Row({ channel }: { channel: PlaygroundChannel }) {
  const { world, me, marks, place, go } = useDesk();
  const { unread, mentions } = unreadOf(world, marks, me.id, channel);
  const current = place.channel === channel.id;
  const title = channelTitle(world, channel, me.id);
  const className = [
    'row',
    current ? 'row-current' : '',
    unread ? 'row-unread' : '',
    channel.archived ? 'row-dim' : '',
  ];
  return (
    <li>
      <button
        type="button"
        className={className.join(' ')}
        aria-current={current ? 'page' : undefined}
        onClick={() => go({ channel: channel.id })}
      >
        <RowSign channel={channel} />
        <span className="row-name">{title}</span>
        {unread && mentions === 0 && <span className="visually-hidden"> unread</span>}
        {mentions > 0 && (
          <span className="badge" title={`${mentions} for ${me.realName}`}>
            {mentions}
          </span>
        )}
      </button>
    </li>
  );
}

function RowSign({ channel }: { channel: PlaygroundChannel }) {
  const { world, me } = useDesk();
  switch (channel.kind) {
    case 'channel':
      return (
        <span className="row-sign" aria-hidden="true">
          #
        </span>
      );
    case 'private':
      return (
        <svg className="row-sign" viewBox="0 0 16 16" width="13" height="13" role="img" aria-label="private">
          <path d="M4 7h8v6H4zM5.5 7V5a2.5 2.5 0 0 1 5 0v2" fill="none" stroke="currentColor" strokeWidth="1.5" />
        </svg>
      );
    case 'dm':
      return <Avatar user={world.users[dmPartner(channel, me.id)]} size={20} />;
    case 'group_dm':
      return (
        <span className="row-sign row-count" aria-hidden="true">
          {channel.members.length - 1}
        </span>
      );
    default:
      return channel.kind satisfies never;
  }
}
