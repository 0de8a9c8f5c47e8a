/** The bot's process: how it is, what model it has, and the buttons that stop, kill and start it. */
import type { BotState } from '../../protocol.ts';
import { useDesk } from '../desk.ts';

const WORDS: { [state in BotState['state']]: string } = {
  absent: 'Not run by this playground',
  starting: 'Starting…',
  running: 'Running',
  stopped: 'Stopped',
  killed: 'Killed (-9)',
  crashed: 'Crashed',
};

export function BotCard() {
  const { world, act } = useDesk();
  const { bot } = world;
  const alive = bot.state === 'running' || bot.state === 'starting';
  const sockets = bot.http ? 'signed HTTP' : bot.sockets === 1 ? '1 socket' : `${bot.sockets} sockets`;
  return (
    <section className="bot-card" aria-label="Bot">
      <div className="bot-state">
        <span className={`dot dot-${bot.state}`} aria-hidden="true" />
        <strong role="status">{WORDS[bot.state]}</strong>
        <span className="choice-more">{bot.pid === undefined ? sockets : `pid ${bot.pid} · ${sockets}`}</span>
      </div>
      {bot.model && <p className="bot-model">{bot.model}</p>}
      {bot.state !== 'absent' && (
        <div className="bot-buttons">
          <button
            type="button"
            className="button button-small"
            disabled={alive}
            onClick={() => act({ do: 'bot', command: 'start' })}
          >
            Start
          </button>
          <button
            type="button"
            className="button button-small"
            disabled={!alive}
            onClick={() => act({ do: 'bot', command: 'stop' })}
          >
            Stop
          </button>
          <button
            type="button"
            className="button button-small button-danger"
            disabled={!alive}
            title="Ends the process at once, as a crash would. Start it again: nothing is lost."
            onClick={() => act({ do: 'bot', command: 'kill' })}
          >
            kill -9
          </button>
        </div>
      )}
    </section>
  );
}
