/** What to try first, for who has never seen this. */
import { useState } from 'react';
import { useDesk } from '../desk.ts';

const SENTENCE = 'deploy the billing service';
const KEY = 'askback-welcomed';

export function Welcome() {
  const { world, me, act, go } = useDesk();
  const [hidden, setHidden] = useState(false);
  // In a workspace where nothing was said yet it is new again, whoever saw it in another.
  const isEmpty = Object.values(world.messages).every((list) => list.length === 0);
  const seen = hidden || (!isEmpty && localStorage.getItem(KEY) !== null);
  const channel = Object.values(world.channels).find(
    (one) => one.name === 'deployments' && one.kind === 'channel' && one.members.includes(me.id) && !one.archived,
  );
  if (seen || !channel) return null;
  const dismiss = (): void => {
    localStorage.setItem(KEY, 'yes');
    setHidden(true);
  };
  const tryIt = async (): Promise<void> => {
    const done = await act({ do: 'say', channel: channel.id, text: `<@${world.app.botUser}> ${SENTENCE}` });
    if (!done.ok) return;
    dismiss();
    go({ channel: channel.id, ...(done.ts ? { thread: done.ts } : {}) });
  };
  return (
    <section className="welcome" aria-label="Welcome">
      <p>
        <strong>New here?</strong> In #deployments, say:{' '}
        <q>
          <span className="mention">@{world.app.name}</span> {SENTENCE}
        </q>
        . It will ask you back. Kill the bot while it waits, start it, then answer.
      </p>
      <button type="button" className="button button-small button-primary" onClick={tryIt}>
        Try it
      </button>
      <button type="button" className="icon-button" aria-label="Dismiss the hint" onClick={dismiss}>
        ✕
      </button>
    </section>
  );
}
