/** "Askback is thinking…", while it lasts. The line keeps its height, so that nothing jumps when it comes and goes. */
import { useEffect, useState } from 'react';
import { useDesk } from '../desk.ts';
import { statusOf } from '../perspective.ts';

const SESSIONS: { [session: string]: string } = {
  processing: 'is working…',
  suspended: 'is waiting for an answer',
};

export function StatusLine({ channel, threadTs }: { channel: string; threadTs: string }) {
  const { world, now, act } = useDesk();
  const [, wake] = useState(0);
  const status = statusOf(world, channel, threadTs, now());
  const until = status?.until;
  useEffect(() => {
    if (until === undefined) return;
    const timer = setTimeout(() => wake((count) => count + 1), until - now() + 20);
    return () => clearTimeout(timer);
  }, [until, now]);
  const words = status?.status || SESSIONS[status?.session ?? ''];
  return (
    <div className="status-line">
      <span role="status" aria-label="Agent status">
        {words && (
          <>
            {status?.session !== 'suspended' && (
              <span className="typing" aria-hidden="true">
                <i />
                <i />
                <i />
              </span>
            )}
            <strong>{world.app.name}</strong> {words}
          </>
        )}
      </span>
      {status?.session === 'processing' && (
        <button
          type="button"
          className="button button-small"
          onClick={() => act({ do: 'stop_session', channel, thread_ts: threadTs })}
        >
          Stop the agent
        </button>
      )}
    </div>
  );
}
