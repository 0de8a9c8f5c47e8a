import type { PlaygroundUser } from '../../protocol.ts';
import { Avatar } from './avatar.tsx';

export function MentionList(props: {
  id: string;
  users: PlaygroundUser[];
  active: number;
  onPick(user: PlaygroundUser): void;
}) {
  const { id, users, active, onPick } = props;
  return (
    <div role="listbox" id={id} aria-label="People" tabIndex={-1} className="options">
      {users.map((user, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the composer's, which keeps the focus
        <div
          key={user.id}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          className={index === active ? 'option option-active option-person' : 'option option-person'}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onPick(user)}
        >
          <Avatar user={user} size={24} />
          <strong>{user.realName || user.name}</strong>
          {user.isBot ? <span className="tag">APP</span> : <span className="choice-more">{user.name}</span>}
        </div>
      ))}
    </div>
  );
}
