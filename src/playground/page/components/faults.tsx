/** Switches that make this Slack fail, to see that the bot gets over it. */
import { useState } from 'react';
import type { Fault } from '../../protocol.ts';
import { useDesk } from '../desk.ts';

const KINDS: { [kind in Fault['kind']]: string } = {
  drop_before: 'Drop the call, nothing done',
  drop_after: 'Do it, then drop the answer',
  http_500_before: 'HTTP 500, nothing done',
  http_500_after: 'Do it, then HTTP 500',
  internal_error: 'internal_error (maybe done)',
  rate_limited: '429 with Retry-After',
  slow: 'Answer slowly',
  refuse: 'Refuse with an error',
};

const METHODS = [
  '*',
  'chat.postMessage',
  'chat.update',
  'chat.postEphemeral',
  'chat.startStream',
  'chat.appendStream',
  'chat.stopStream',
  'conversations.replies',
  'views.open',
  'views.update',
  'users.info',
  'files.info',
  'file download',
  'agents.sessions.setStatus',
  'assistant.threads.setStatus',
  'apps.connections.open',
];

export function Faults() {
  const { world, act } = useDesk();
  const [method, setMethod] = useState('chat.postMessage');
  const [kind, setKind] = useState<Fault['kind']>('drop_after');
  const [times, setTimes] = useState('1');
  const [value, setValue] = useState('');
  const add = (): void => {
    const fault: Fault = { method, kind };
    if (Number(times) > 0) fault.times = Number(times);
    if (kind === 'slow') fault.value = Number(value) || 5000;
    if (kind === 'rate_limited') fault.value = Number(value) || 3;
    if (kind === 'refuse') fault.error = value || 'invalid_blocks';
    void act({ do: 'fault', fault });
  };
  const parameter = {
    slow: 'Delay in ms (5000)',
    rate_limited: 'Retry-After in s (3)',
    refuse: 'Error (invalid_blocks)',
  }[kind as string];
  return (
    <div className="faults">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          add();
        }}
      >
        <label>
          Method
          <select className="field" value={method} onChange={(event) => setMethod(event.target.value)}>
            {METHODS.map((name) => (
              <option key={name} value={name}>
                {name === '*' ? 'every method' : name}
              </option>
            ))}
          </select>
        </label>
        <label>
          What happens
          <select className="field" value={kind} onChange={(event) => setKind(event.target.value as Fault['kind'])}>
            {Object.entries(KINDS).map(([name, words]) => (
              <option key={name} value={name}>
                {words}
              </option>
            ))}
          </select>
        </label>
        {parameter && (
          <label>
            {parameter}
            <input className="field" value={value} onChange={(event) => setValue(event.target.value)} />
          </label>
        )}
        <label>
          How many calls (empty: until cleared)
          <input
            className="field"
            inputMode="numeric"
            value={times}
            onChange={(event) => setTimes(event.target.value)}
          />
        </label>
        <button type="submit" className="button button-primary">
          Add fault
        </button>
      </form>
      <ul aria-label="Active faults">
        {world.faults.length === 0 && <li className="choice-more">No fault is set.</li>}
        {world.faults.map((fault, index) => (
          <li key={index} className="alert alert-warning">
            <span>
              <code>{fault.method}</code> {KINDS[fault.kind]}
              {fault.value !== undefined && ` (${fault.value})`}
              {fault.error !== undefined && ` (${fault.error})`}
              {fault.times === undefined ? ', until cleared' : `, ${fault.times} left`}
            </span>
          </li>
        ))}
      </ul>
      {world.faults.length > 0 && (
        <button type="button" className="button" onClick={() => act({ do: 'clear_faults' })}>
          Clear all faults
        </button>
      )}
    </div>
  );
}
