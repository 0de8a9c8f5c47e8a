/** The traffic between the bot and its Slack, the bot's log, and the switches for faults. */
import { useState } from 'react';
import type { Traffic } from '../../protocol.ts';
import { useDesk } from '../desk.ts';
import { BotLog } from './bot-log.tsx';
import { Faults } from './faults.tsx';

const TABS = ['Traffic', 'Bot log', 'Faults'] as const;

export function Inspector({ onClose }: { onClose(): void }) {
  const { world } = useDesk();
  const [tab, setTab] = useState<(typeof TABS)[number]>('Traffic');
  return (
    <aside className="inspector" aria-label="Inspector">
      <header className="pane-head">
        <div className="tabs" role="tablist" aria-label="Inspector">
          {TABS.map((name) => (
            <button key={name} type="button" role="tab" aria-selected={name === tab} onClick={() => setTab(name)}>
              {name}
              {name === 'Faults' && world.faults.length > 0 && (
                <span className="badge badge-warning">{world.faults.length}</span>
              )}
            </button>
          ))}
        </div>
        <span className="grow" />
        <button type="button" className="icon-button" aria-label="Close inspector" onClick={onClose}>
          ✕
        </button>
      </header>
      {tab === 'Traffic' && <TrafficList />}
      {tab === 'Bot log' && <BotLog />}
      {tab === 'Faults' && <Faults />}
    </aside>
  );
}

const KINDS: Traffic['kind'][] = ['api', 'event', 'interaction', 'response_url', 'socket', 'fault'];

function TrafficList() {
  const { world } = useDesk();
  const [query, setQuery] = useState('');
  const [kind, setKind] = useState('');
  const [loud, setLoud] = useState(false);
  const wanted = query.toLowerCase();
  const rows = world.traffic
    .filter(
      (row) =>
        (kind === '' || row.kind === kind) &&
        (!loud || row.warning !== undefined || !row.ok) &&
        (wanted === '' || `${row.title} ${row.warning ?? ''}`.toLowerCase().includes(wanted)),
    )
    .toReversed();
  return (
    <>
      <div className="filters">
        <input
          type="search"
          className="field"
          placeholder="Filter"
          aria-label="Filter traffic"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
        <select
          className="field"
          aria-label="Kind of traffic"
          value={kind}
          onChange={(event) => setKind(event.target.value)}
        >
          <option value="">All kinds</option>
          {KINDS.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
        <label className="broadcast">
          <input type="checkbox" checked={loud} onChange={(event) => setLoud(event.target.checked)} /> Problems only
        </label>
      </div>
      <ul className="traffic" aria-label="Traffic, newest first">
        {rows.length === 0 && <li className="empty">Nothing to show. Mention {world.app.name} and watch.</li>}
        {rows.map((row) => (
          <TrafficRow key={row.id} row={row} />
        ))}
      </ul>
    </>
  );
}

function TrafficRow({ row }: { row: Traffic }) {
  const [open, setOpen] = useState(false);
  return (
    <li className={row.warning === undefined ? '' : 'traffic-loud'}>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <span className={row.ok ? 'mark mark-ok' : 'mark mark-bad'} role="img" aria-label={row.ok ? 'ok' : 'failed'}>
            {row.ok ? '✓' : '✕'}
          </span>
          <span className={`kind kind-${row.kind}`}>{row.kind}</span>
          <span className="traffic-title">{row.title}</span>
          {row.ms !== undefined && <span className="traffic-ms">{Math.round(row.ms)} ms</span>}
          {row.warning !== undefined && <span className="traffic-warning">⚠ {row.warning}</span>}
        </summary>
        {/* The JSON of 500 rows is only made for those that are looked at. */}
        {open && (
          <div className="traffic-json">
            <time>{new Date(row.at).toISOString().slice(11, 23)} UTC</time>
            {row.request !== undefined && <JsonBox title="request" value={row.request} />}
            {row.response !== undefined && <JsonBox title="response" value={row.response} />}
          </div>
        )}
      </details>
    </li>
  );
}

function JsonBox({ title, value }: { title: string; value: unknown }) {
  return (
    <figure>
      <figcaption>{title}</figcaption>
      <pre>{typeof value === 'string' ? value : JSON.stringify(value, undefined, 2)}</pre>
    </figure>
  );
}
