/** The tail of the bot's log, and rougher ways to part it from its Slack. */
import { useLayoutEffect, useRef } from 'react';
import { useDesk } from '../desk.ts';

export function BotLog() {
  const { world, act } = useDesk();
  const box = useRef<HTMLPreElement>(null);
  const text = world.bot.log.join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new line is what moves it
  useLayoutEffect(() => {
    box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [text]);
  return (
    <>
      <div className="filters">
        <button type="button" className="button button-small" onClick={() => act({ do: 'disconnect', abrupt: false })}>
          Ask sockets to leave
        </button>
        <button type="button" className="button button-small" onClick={() => act({ do: 'disconnect', abrupt: true })}>
          Cut sockets
        </button>
        <button type="button" className="button button-small button-danger" onClick={() => act({ do: 'uninstall' })}>
          Uninstall the app
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <pre ref={box} className="bot-log" role="log" aria-label="Bot log" tabIndex={0}>
        {text || 'The bot has said nothing yet.'}
      </pre>
    </>
  );
}
