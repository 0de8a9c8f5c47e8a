import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  channelMessages,
  markRead,
  newestTs,
  openModal,
  repliesOf,
  statusOf,
  threadMessages,
  unreadOf,
  visibleChannels,
} from '../../../src/playground/page/perspective.ts';
import { readPlace, writePlace } from '../../../src/playground/page/place.ts';
import { applyUpdate, compareTs, TRAFFIC_KEPT, type World } from '../../../src/playground/page/world.ts';
import type { PlaygroundMessage, Update } from '../../../src/playground/protocol.ts';
import { at, BOT, fixtureSnapshot, MODAL, START } from './fixture-world.ts';

function worldAfter(...updates: Update[]): World {
  let world = applyUpdate(undefined, fixtureSnapshot());
  for (const update of updates) world = applyUpdate(world, update);
  if (!world) throw new Error('a snapshot makes a world');
  return world;
}

function userOf(world: World, id: string) {
  const user = world.users[id];
  if (!user) throw new Error(`no user ${id}`);
  return user;
}

const say = (ts: string, more: Partial<PlaygroundMessage> = {}): Update => ({
  type: 'message',
  message: { channel: 'C0DEP', ts, user: BOT, text: 'hi', ...more },
});

describe('the world of the page', () => {
  it('knows nothing before the first snapshot', () => {
    expect(applyUpdate(undefined, say(at(1)))).toBeUndefined();
  });

  it('forgets all that a new snapshot does not tell', () => {
    const world = worldAfter(say(at(99)), { type: 'view', view: MODAL }, fixtureSnapshot());
    expect(world).toEqual(worldAfter());
  });

  it('keeps messages in order of their ts, whatever the order of arrival, each once', () => {
    const stamps = fc.array(fc.tuple(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 0, max: 999_999 })), {
      maxLength: 40,
    });
    fc.assert(
      fc.property(stamps, (pairs) => {
        const all = pairs.map(([seconds, micros]) => `${seconds}.${String(micros).padStart(6, '0')}`);
        const world = worldAfter(...[...all, ...all].map((ts) => say(ts, { channel: 'C9NEW' })));
        const kept = (world.messages.C9NEW ?? []).map((message) => message.ts);
        expect(kept).toEqual([...new Set(all)].sort(compareTs));
      }),
    );
  });

  it('changes nothing when an update comes twice', () => {
    const updates: Update[] = [
      say(at(20)),
      { type: 'message_deleted', channel: 'C0DEP', ts: at(6) },
      { type: 'view', view: MODAL },
      { type: 'view_closed', id: 'V0HOME' },
      { type: 'status', status: { channel: 'C0DEP', thread_ts: at(0), status: '' } },
      { type: 'traffic', traffic: { id: 9, at: 0, kind: 'api', title: 'x', ok: true } },
      { type: 'faults', faults: [{ method: '*', kind: 'slow' }] },
    ];
    for (const update of updates) expect(worldAfter(update, update)).toEqual(worldAfter(update));
  });

  it('replaces an edited message, and drops a deleted one', () => {
    const world = worldAfter(say(at(8), { text: 'edited' }), { type: 'message_deleted', channel: 'C0DEP', ts: at(6) });
    expect(world.messages.C0DEP?.find((message) => message.ts === at(8))?.text).toBe('edited');
    expect(world.messages.C0DEP?.some((message) => message.ts === at(6))).toBe(false);
  });

  it('keeps the newest traffic only, and completes a row that comes again', () => {
    const rows = Array.from(
      { length: TRAFFIC_KEPT + 20 },
      (_, index): Update => ({
        type: 'traffic',
        traffic: { id: index + 10, at: 0, kind: 'api', title: `row ${index}`, ok: true },
      }),
    );
    const world = worldAfter(...rows, {
      type: 'traffic',
      traffic: { id: TRAFFIC_KEPT + 29, at: 0, kind: 'api', title: 'last', ok: false, ms: 5 },
    });
    expect(world.traffic).toHaveLength(TRAFFIC_KEPT);
    expect(world.traffic.at(-1)).toMatchObject({ title: 'last', ms: 5 });
  });
});

describe('what one person sees', () => {
  const world = worldAfter();

  it.each([
    ['U0ANA', ['Askback', 'Ben Okafor', 'board', 'deployments', 'general']],
    ['U0BEN', ['Ana Ruiz', 'deployments', 'general']],
    ['U0GUS', ['deployments']],
  ])('lists for %s the channels that they may find', (id, names) => {
    const ids = visibleChannels(world, userOf(world, id)).map((channel) => channel.id);
    expect(ids).toHaveLength(names.length);
    expect(ids.includes('C0SEC')).toBe(id === 'U0ANA');
    expect(ids.includes('C0GEN')).toBe(id !== 'U0GUS');
  });

  it('shows an ephemeral message to its reader alone', () => {
    const seen = (id: string) => channelMessages(world, 'C0DEP', id).some((message) => message.ephemeralTo);
    expect([seen('U0BEN'), seen('U0ANA')]).toEqual([true, false]);
  });

  it('keeps replies out of the channel, but for a broadcast', () => {
    const after = worldAfter(
      say(at(30), { thread_ts: at(0) }),
      say(at(31), { thread_ts: at(0), subtype: 'thread_broadcast' }),
    );
    const stamps = channelMessages(after, 'C0DEP', 'U0ANA').map((message) => message.ts);
    expect([stamps.includes(at(30)), stamps.includes(at(31))]).toEqual([false, true]);
    expect(threadMessages(after, 'C0DEP', at(0), 'U0ANA').map((message) => message.ts)).toEqual(
      [0, 1, 2, 3, 30, 31].map(at),
    );
  });

  it('counts the replies of a root, and none of a reply', () => {
    const [root, reply] = threadMessages(world, 'C0DEP', at(0), 'U0ANA');
    expect(root && repliesOf(world, root, 'U0ANA')).toEqual({ count: 3, last: at(3), users: [BOT, 'U0BEN'] });
    expect(reply && repliesOf(world, reply, 'U0ANA')).toBeUndefined();
  });

  it('counts no ephemeral as a reply', () => {
    const after = worldAfter(say(at(30), { thread_ts: at(0), ephemeralTo: 'U0ANA' }));
    const root = threadMessages(after, 'C0DEP', at(0), 'U0ANA')[0];
    expect(root && repliesOf(after, root, 'U0ANA')?.count).toBe(3);
  });

  it('shows a status until its time', () => {
    const after = worldAfter({
      type: 'status',
      status: { channel: 'C0DEP', thread_ts: at(0), status: 'is thinking…', until: 1000 },
    });
    expect(statusOf(after, 'C0DEP', at(0), 999)?.status).toBe('is thinking…');
    expect(statusOf(after, 'C0DEP', at(0), 1000)).toBeUndefined();
  });

  it('shows the top of the own stack of modals', () => {
    const after = worldAfter({ type: 'view', view: MODAL }, { type: 'view', view: { ...MODAL, id: 'V2', depth: 1 } });
    expect(openModal(after, 'U0ANA')?.id).toBe('V2');
    expect(openModal(after, 'U0BEN')).toBeUndefined();
  });

  it('counts as unread what came after the first visit, until it is read', () => {
    const marks = { start: newestTs(world) };
    const after = worldAfter(say(at(40)), say(at(41), { text: 'hey <@U0ANA>' }), say(at(42), { user: 'U0ANA' }));
    const channel = after.channels.C0DEP;
    if (!channel) throw new Error('the fixture has #deployments');
    expect(unreadOf(world, marks, 'U0ANA', channel)).toEqual({ unread: false, mentions: 0 });
    expect(unreadOf(after, marks, 'U0ANA', channel)).toEqual({ unread: true, mentions: 1 });
    expect(unreadOf(after, marks, 'U0BEN', channel)).toEqual({ unread: true, mentions: 0 });
    const read = markRead(marks, 'U0ANA', 'C0DEP', at(42));
    expect(unreadOf(after, read, 'U0ANA', channel).unread).toBe(false);
    expect(markRead(read, 'U0ANA', 'C0DEP', at(1))).toBe(read);
  });
});

describe('the place in the address', () => {
  it('is read as it was written', () => {
    const place = { as: 'U1', channel: 'C1', thread: `${START}.000100`, tab: 'home' as const };
    expect(readPlace(writePlace(place))).toEqual(place);
    expect(readPlace('')).toEqual({});
    expect(readPlace('#tab=other')).toEqual({});
  });
});
