import { expect, test } from 'vitest';
import { live, type Odds, type Without } from './city.ts';

const everything: Odds = { kill: 0.01, pause: 0.01, lost: 0.1, dropped: 0.05 };

test.each<[string, Odds, number]>([
  ['nothing fails', { kill: 0, pause: 0, lost: 0, dropped: 0 }, 10],
  ['processes are killed', { kill: 0.012, pause: 0, lost: 0, dropped: 0 }, 20],
  ['answers of Slack are lost', { kill: 0, pause: 0, lost: 0.15, dropped: 0.1 }, 12],
  ['processes are killed and stopped for longer than the lease, answers of Slack are lost', everything, 20],
])(
  'while %s, all is read once, asked once, answered once, done once',
  { timeout: 60_000 },
  async (_, odds, schedules) => {
    const bad: Record<string, string[]> = {};
    for (let seed = 1; seed <= schedules; seed++) {
      const faults = await live(seed, odds);
      if (faults.length > 0) bad[seed] = faults;
    }
    expect(bad).toEqual({});
  },
);

test.each<[string, Without]>([
  ['the store only gets and sets', 'compare'],
  ['nothing is looked for before it is sent again', 'read-back'],
  ['the history lags longer than the second look waits', 'second look'],
])('it is noticed when %s', { timeout: 60_000 }, async (_, without) => {
  let faults: string[] = [];
  for (let seed = 1; seed <= 150 && faults.length === 0; seed++) faults = await live(seed, everything, without);
  expect(faults).not.toEqual([]);
});
