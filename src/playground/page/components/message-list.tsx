/** A list of messages that stays at the newest, unless one has scrolled away from it. */
import { Fragment, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { PlaygroundMessage } from '../../protocol.ts';
import { dayKey, dayLabel, tsToMs } from '../dates.ts';
import { useDesk } from '../desk.ts';
import { Message } from './message.tsx';

/** One person's messages within this time share one head. */
const TOGETHER_MS = 5 * 60_000;
const NEAR_PX = 60;

export function MessageList(props: {
  messages: PlaygroundMessage[];
  place: 'channel' | 'thread';
  children?: ReactNode;
}) {
  const { messages, place, children } = props;
  const { me, now } = useDesk();
  const box = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const pinned = useRef(true);
  const size = useRef('');
  const [away, setAway] = useState(false);
  const last = messages.at(-1);

  const toNewest = (): void => {
    pinned.current = true;
    setAway(false);
    box.current?.scrollTo({ top: box.current.scrollHeight });
  };
  useLayoutEffect(() => {
    const element = box.current;
    if (!element || !content.current) return;
    // A message may grow after it came (a stream, an image, a menu that wraps): follow its size, not only its arrival.
    const watch = new ResizeObserver(() => {
      size.current = sizeKey(element);
      if (pinned.current) element.scrollTop = element.scrollHeight;
    });
    watch.observe(content.current);
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  const own = last?.user === me.id ? last.ts : undefined;
  useEffect(() => {
    if (!own) return;
    pinned.current = true;
    box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [own]);

  return (
    <div className="list-frame">
      <div
        ref={box}
        className="list"
        role="log"
        aria-label={place === 'thread' ? 'Replies' : 'Messages'}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        tabIndex={0}
        onScroll={(event) => {
          const { scrollHeight, scrollTop, clientHeight } = event.currentTarget;
          // A scroll that comes with another size is the layout's doing, not the reader's.
          if (sizeKey(event.currentTarget) !== size.current) return;
          pinned.current = scrollHeight - scrollTop - clientHeight < NEAR_PX;
          setAway(!pinned.current);
        }}
      >
        <div ref={content} className="list-content">
          {children}
          {messages.map((message, index) => {
            const before = messages[index - 1];
            const newDay = !before || dayKey(tsToMs(before.ts), me) !== dayKey(tsToMs(message.ts), me);
            return (
              <Fragment key={message.ts}>
                {newDay && (
                  <div className="day">
                    <span>{dayLabel(tsToMs(message.ts), me, now())}</span>
                  </div>
                )}
                <Message message={message} place={place} compact={!newDay && together(before, message)} />
              </Fragment>
            );
          })}
        </div>
      </div>
      {away && (
        <button type="button" className="button to-newest" onClick={toNewest}>
          ↓ Newest
        </button>
      )}
    </div>
  );
}

function sizeKey(element: HTMLElement): string {
  return `${element.scrollHeight}/${element.clientHeight}`;
}

function together(before: PlaygroundMessage | undefined, message: PlaygroundMessage): boolean {
  return (
    before !== undefined &&
    before.user === message.user &&
    !before.ephemeralTo === !message.ephemeralTo &&
    // Cards of an app stand on their own.
    !message.blocks?.some((block) => block.type !== 'rich_text') &&
    tsToMs(message.ts) - tsToMs(before.ts) < TOGETHER_MS
  );
}
