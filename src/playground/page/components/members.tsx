/** Who is in a channel; to invite, to remove, to archive. */
import { useState } from 'react';
import type { PlaygroundChannel } from '../../protocol.ts';
import { useDesk } from '../desk.ts';
import { nameOf } from '../perspective.ts';

export function Members({ channel }: { channel: PlaygroundChannel }) {
  const { world, act } = useDesk();
  const outside = Object.values(world.users).filter((user) => !user.deleted && !channel.members.includes(user.id));
  const [chosen, setChosen] = useState('');
  const invite = outside.find((user) => user.id === chosen) ?? outside[0];
  return (
    <section className="members" aria-label="Members">
      {channel.members.map((id) => (
        <span key={id} className="chip">
          <span className="chip-text">{nameOf(world, id)}</span>
          <button
            type="button"
            aria-label={`Remove ${nameOf(world, id)} from the channel`}
            onClick={() => act({ do: 'remove', channel: channel.id, user: id })}
          >
            ✕
          </button>
        </span>
      ))}
      {invite && (
        <span className="members-invite">
          <select
            className="field"
            aria-label="Whom to invite"
            value={invite.id}
            onChange={(event) => setChosen(event.target.value)}
          >
            {outside.map((user) => (
              <option key={user.id} value={user.id}>
                {user.realName || user.name}
              </option>
            ))}
          </select>
          <button
            type="button"
            className="button button-small"
            onClick={() => act({ do: 'invite', channel: channel.id, user: invite.id })}
          >
            Invite
          </button>
        </span>
      )}
      {!channel.archived && (
        <button
          type="button"
          className="button button-small button-danger"
          onClick={() => act({ do: 'archive', channel: channel.id })}
        >
          Archive channel
        </button>
      )}
    </section>
  );
}
