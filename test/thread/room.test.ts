import { expect, test } from 'vitest';
import type { Pulse, ThreadId } from '../../src/thread/ports.ts';
import { createRoom } from '../../src/thread/room.ts';
import { createTown } from './town.ts';
import { settled } from './virtual-clock.ts';

function rooms(most: number, beats = true) {
  const takenUp: string[] = [];
  const room = createRoom({
    most,
    beats,
    takeUp(thread) {
      if (room.take()) takenUp.push(thread);
    },
  });
  const places = () => {
    let count = 0;
    while (room.take()) count += 1;
    return count;
  };
  return { room, takenUp, places };
}

test('without beats there is room for the most, and for no more until a place is given back', () => {
  const { room, places } = rooms(3, false);
  expect(places()).toBe(3);
  room.giveBack();
  expect(places()).toBe(1);
});

test('with them there is little at first, and more with each beat on time that finds it all taken', () => {
  const { room, places } = rooms(10);
  expect(places()).toBe(8);
  room.beat(5);
  expect(places()).toBe(1);
  for (let beats = 0; beats < 5; beats++) room.beat(0);
  expect(places()).toBe(1);
  for (let beats = 0; beats < 5; beats++) room.beat(0);
  expect(places()).toBe(0);
});

test('room that nobody takes does not grow', () => {
  const { room, places } = rooms(100);
  for (let beats = 0; beats < 50; beats++) room.beat(0);
  expect(places()).toBe(8);
});

test('each late beat halves it, down to four', () => {
  const { room, places } = rooms(100);
  expect(places()).toBe(8);
  for (let beats = 0; beats < 8; beats++) room.beat(0);
  room.beat(100);
  for (let given = 0; given < 8; given++) room.giveBack();
  expect(places()).toBe(4);
  for (let beats = 0; beats < 10; beats++) room.beat(100);
  for (let given = 0; given < 4; given++) room.giveBack();
  expect(places()).toBe(4);
});

test('who waits comes next, in order and once', () => {
  const { room, takenUp, places } = rooms(2, false);
  places();
  for (const name of ['a', 'b', 'a', 'c']) room.later(name as ThreadId);
  expect(takenUp).toEqual([]);
  room.giveBack();
  room.giveBack();
  expect(takenUp).toEqual(['a', 'b']);
  room.giveBack();
  room.giveBack();
  expect(takenUp).toEqual(['a', 'b', 'c']);
});

test('however late the beats are, who waits comes in the end', () => {
  const { room, takenUp, places } = rooms(100);
  places();
  room.later('a' as ThreadId);
  for (let beats = 0; beats < 9; beats++) room.beat(500);
  expect(takenUp).toEqual([]);
  room.beat(500);
  expect(takenUp).toEqual(['a']);
});

test('a room that is closed takes nobody', () => {
  const { room, takenUp, places } = rooms(1);
  places();
  room.later('a' as ThreadId);
  room.close();
  room.giveBack();
  room.beat(0);
  expect(takenUp).toEqual([]);
  expect(places()).toBe(0);
});

test('a process that falls behind saves what comes, leaves it due, and does it in order when it has time, without a sweep', async () => {
  let beat = (_late: number) => {};
  let stopped = false;
  const pulse: Pulse = (_ms, told) => {
    beat = told;
    return () => {
      stopped = true;
    };
  };
  const never = new Promise<never>(() => {});
  const town = createTown({
    lines: async (_, messages) => (messages.at(-1)?.content === 'slow' ? await never : 'Hello.'),
    deps: { pulse, sweepEvery: 10 ** 9 },
  });
  town.dispatcher.start();
  for (const thread of ['T1:C1:91.0', 'T1:C1:92.0', 'T1:C1:93.0', 'T1:C1:94.0'] as ThreadId[]) {
    await town.dispatcher.receive(town.message('slow', { thread }));
  }
  await settled();
  for (let beats = 0; beats < 5; beats++) beat(100);
  const threads = ['T1:C1:3.0', 'T1:C1:2.0', 'T1:C1:4.0'] as ThreadId[];
  for (const thread of threads) {
    const received = await town.dispatcher.receive(town.message('quick', { thread }));
    expect(received).toEqual({ status: 'accepted' });
    await town.clock.advance(1);
  }
  await settled();
  expect(town.replies()).toEqual([]);
  expect((await town.records.due(town.clock.now(), undefined, 10)).map(({ key }) => key)).toEqual(threads);

  beat(0);
  for (let turn = 0; turn < 10; turn++) await settled();
  expect(town.slack.standing('reply').map((m) => m.thread)).toEqual(threads);
  void town.dispatcher.close(0);
  expect(stopped).toBe(true);
});
