/** As Slack does: who mentions the app where it is not is offered to invite it. */
import type { PlaygroundChannel } from '../../protocol.ts';
import { useDesk } from '../desk.ts';

export function Invite({ channel }: { channel: PlaygroundChannel }) {
  const { world, me, act } = useDesk();
  const { botUser, name } = world.app;
  const mentioned = (world.messages[channel.id] ?? []).some(
    ({ user, text }) => user === me.id && text.includes(`<@${botUser}>`),
  );
  if (!mentioned || channel.kind === 'dm' || channel.archived || channel.members.includes(botUser)) return null;
  return (
    <section className="welcome" aria-label={`Invite ${name}`}>
      <p>
        <strong>@{name}</strong> is not in this channel, so it did not hear you. Invite it, and mention it again.
      </p>
      <button
        type="button"
        className="button button-small button-primary"
        onClick={() => act({ do: 'invite', channel: channel.id, user: botUser })}
      >
        Invite @{name}
      </button>
    </section>
  );
}
