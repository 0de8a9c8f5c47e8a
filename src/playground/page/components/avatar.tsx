import type { PlaygroundUser } from '../../protocol.ts';

/** Beside the name always, so it says nothing to a screen reader. */
export function Avatar({ user, size }: { user: PlaygroundUser | undefined; size: number }) {
  const name = user?.realName || user?.name || '?';
  const initials = name
    .split(/\s+/)
    .map((word) => [...word][0] ?? '')
    .filter((first) => /[\p{L}\p{N}]/u.test(first))
    .slice(0, 2)
    .join('')
    .toUpperCase();
  return (
    <span className="avatar" aria-hidden="true" style={{ '--avatar': user?.color ?? '#889', '--size': `${size}px` }}>
      {user?.isBot ? <BotFace /> : initials}
    </span>
  );
}

function BotFace() {
  return (
    <svg viewBox="0 0 24 24" width="66%" height="66%" aria-hidden="true">
      <path d="M4 5h16v11h-7l-5 4.5V16H4z" fill="none" stroke="currentColor" strokeWidth="2" strokeLinejoin="round" />
      <path
        d="M9.8 8.9a2.2 2.2 0 1 1 3 2c-.6.3-.8.6-.8 1.2"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.7"
        strokeLinecap="round"
      />
      <circle cx="12" cy="13.9" r="1" fill="currentColor" />
    </svg>
  );
}
