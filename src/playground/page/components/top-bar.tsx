import { useEffect, useState } from 'react';
import type { PlaygroundUser } from '../../protocol.ts';
import { useDesk } from '../desk.ts';
import { people, unreadOf, visibleChannels } from '../perspective.ts';
import { Avatar } from './avatar.tsx';

export function TopBar(props: {
  connected: boolean;
  sidebar: boolean;
  inspector: boolean;
  onSidebar(): void;
  onInspector(): void;
}) {
  const { connected, sidebar, inspector, onSidebar, onInspector } = props;
  const { world } = useDesk();
  const warnings = world.traffic.filter((row) => row.warning !== undefined).length;
  return (
    <header className="top-bar">
      <button
        type="button"
        className="icon-button only-narrow"
        aria-label="Channels and bot"
        aria-expanded={sidebar}
        onClick={onSidebar}
      >
        ☰
      </button>
      <h1>
        {world.team.name} <span className="tag">playground</span>
      </h1>
      {!connected && (
        <span className="offline" role="status">
          <span className="spinner" aria-hidden="true" /> Reconnecting…
        </span>
      )}
      <span className="grow" />
      <ActAs />
      <ThemeToggle />
      <button
        type="button"
        className={warnings > 0 ? 'button button-small has-warnings' : 'button button-small'}
        aria-pressed={inspector}
        onClick={onInspector}
      >
        Inspector
        {warnings > 0 && (
          <span className="badge badge-warning" title={`${warnings} warnings in the traffic`}>
            {warnings}
          </span>
        )}
      </button>
    </header>
  );
}

/** A click moves one into that person's shoes, where they stand in the same channel and thread if they may see it. */
function ActAs() {
  const { world, me, marks, place, go } = useDesk();
  const waiting = (user: PlaygroundUser): number =>
    visibleChannels(world, user).reduce((sum, channel) => sum + unreadOf(world, marks, user.id, channel).mentions, 0);
  return (
    <div className="act-as" role="radiogroup" aria-label="Act as">
      <span className="act-as-label" aria-hidden="true">
        Act as
      </span>
      {people(world).map((user) => {
        const count = user.id === me.id ? 0 : waiting(user);
        return (
          <label key={user.id} title={personTitle(user, world.team.id)} className={user.id === me.id ? 'chosen' : ''}>
            <input
              type="radio"
              name="act-as"
              aria-label={user.realName || user.name}
              checked={user.id === me.id}
              onChange={() => go({ ...place, as: user.id })}
            />
            <Avatar user={user} size={28} />
            {count > 0 && <span className="badge act-as-badge">{count}</span>}
          </label>
        );
      })}
      <span className="act-as-name">{me.realName || me.name}</span>
    </div>
  );
}

export function personTitle(user: PlaygroundUser, team: string): string {
  const marks = [user.isGuest ? 'guest' : [], user.team && user.team !== team ? 'another organisation' : []].flat();
  return [user.realName || user.name, ...marks, user.tz, user.locale].join(' · ');
}

type Theme = 'auto' | 'light' | 'dark';
/** In an order in which the first click shows. */
const themes = (): Theme[] =>
  matchMedia('(prefers-color-scheme: dark)').matches ? ['auto', 'light', 'dark'] : ['auto', 'dark', 'light'];
const SIGNS: { [theme in Theme]: string } = { auto: '◐', light: '☀', dark: '☾' };

function ThemeToggle() {
  const [theme, setTheme] = useState<Theme>(
    () => themes().find((one) => one === localStorage.getItem('askback-theme')) ?? 'auto',
  );
  useEffect(() => {
    localStorage.setItem('askback-theme', theme);
    document.documentElement.dataset.theme = theme;
  }, [theme]);
  const order = themes();
  const next = order[(order.indexOf(theme) + 1) % order.length] ?? 'auto';
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={`Theme: ${theme}`}
      title={`Theme: ${theme}. Click for ${next}.`}
      onClick={() => setTheme(next)}
    >
      {SIGNS[theme]}
    </button>
  );
}
