/** The page: keeps the world as the server tells it, who is acting, and where one is; hands all that to the components. */
import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'react';
import type { StateValues } from '../protocol.ts';
import { Shell } from './components/shell.tsx';
import { type Deed, type Desk, DeskContext } from './desk.ts';
import { listen, post } from './link.ts';
import { markRead, newestTs, people, type ReadMarks, visibleChannels } from './perspective.ts';
import { type Place, readPlace, writePlace } from './place.ts';
import { applyUpdate, type World } from './world.ts';

const NOTICE_MS = 6000;
const NOTHING: StateValues = {};

export function App({ now }: { now(): number }) {
  const [world, dispatch] = useReducer(applyUpdate, undefined);
  const [open, setOpen] = useState(false);
  useEffect(() => listen(dispatch, setOpen), []);
  if (!world) {
    return (
      <main className="waiting">
        <p role="status">{open ? 'Opening the workspace…' : 'Waiting for the playground…'}</p>
      </main>
    );
  }
  return <Workspace world={world} connected={open} now={now} />;
}

function Workspace({ world, connected, now }: { world: World; connected: boolean; now(): number }) {
  const [place, go] = usePlace();
  const [notice, notify] = useNotice();
  const [entered, setEntered] = useState<{ [key: string]: StateValues }>({});
  const [marks, setMarks] = useState((): ReadMarks => ({ start: newestTs(world) }));
  const everyone = people(world);
  const me = everyone.find((user) => user.id === place.as) ?? everyone[0];
  const channel = me && placeChannel(world, place, me.id);
  const here = useMemo(() => (channel ? { ...place, channel } : place), [place, channel]);

  // What one looks at counts as read.
  const newest = channel ? world.messages[channel]?.at(-1)?.ts : undefined;
  useEffect(() => {
    if (me && channel && newest) setMarks((old) => markRead(old, me.id, channel, newest));
  }, [me, channel, newest]);

  const actor = me?.id ?? '';
  const act = useCallback(
    async (deed: Deed) => {
      const done = await post({ as: actor, ...deed } as Parameters<typeof post>[0]);
      if (!done.ok && !isSaidByForm(deed, done.error)) notify(inWords(done.error));
      return done;
    },
    [actor, notify],
  );
  const enter = useCallback(
    (form: string, values: StateValues) => setEntered((old) => ({ ...old, [`${actor}|${form}`]: values })),
    [actor],
  );
  const desk = useMemo(
    (): Desk | undefined =>
      me && {
        world,
        me,
        marks,
        place: here,
        go: (next) => go({ as: me.id, ...next }),
        act,
        notify,
        entered: (form) => entered[`${me.id}|${form}`] ?? NOTHING,
        enter,
        now,
      },
    [world, me, marks, here, go, act, notify, entered, enter, now],
  );
  if (!desk) return <main className="waiting">This workspace has no person to act as.</main>;
  return (
    <DeskContext value={desk}>
      <Shell connected={connected} />
      <div className="notices" role="status">
        {notice && <p className="notice">{notice}</p>}
      </div>
    </DeskContext>
  );
}

/** A form that was sent stays open and says it itself, as Slack's do: at its fields, or that there was trouble connecting. */
const isSaidByForm = (deed: Deed, error: string): boolean =>
  deed.do === 'submit_view' && /^(no_ack:|invalid_)/.test(error);

/** Where real Slack shows no more than a warning sign. */
function inWords(error: string): string {
  const detail = /^no_ack: (.*)/s.exec(error)?.[1];
  return detail === undefined ? error : `No answer from the bot: ${detail}. Is it running? Then try again.`;
}

/** Whoever cannot see the channel of the address lands in the first one that the agent is in, a public one if there is any. */
function placeChannel(world: World, place: Place, me: string): string | undefined {
  const user = world.users[me];
  const channels = user ? visibleChannels(world, user) : [];
  const wanted = channels.find((channel) => channel.id === place.channel);
  const mine = channels.filter((channel) => channel.kind === 'channel' || channel.kind === 'private');
  const withBot = mine.filter((channel) => channel.members.includes(world.app.botUser));
  const open = withBot.find((channel) => channel.kind === 'channel');
  return (wanted ?? open ?? withBot[0] ?? mine[0] ?? channels[0])?.id;
}

function usePlace(): [Place, (place: Place) => void] {
  const [place, setPlace] = useState(() => readPlace(location.hash));
  useEffect(() => {
    const onChange = (): void => setPlace(readPlace(location.hash));
    addEventListener('hashchange', onChange);
    return () => removeEventListener('hashchange', onChange);
  }, []);
  const go = useCallback((next: Place) => {
    location.hash = writePlace(next);
    setPlace(next);
  }, []);
  return [place, go];
}

function useNotice(): [string | undefined, (text: string) => void] {
  const [notice, setNotice] = useState<string>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const notify = useCallback((text: string) => {
    clearTimeout(timer.current);
    setNotice(text);
    timer.current = setTimeout(() => setNotice(undefined), NOTICE_MS);
  }, []);
  return [notice, notify];
}
