import { expect, test } from 'vitest';
import type { RunStore } from '../../src/agent/run-store.ts';
import type { DispatcherDeps } from '../../src/thread/dispatcher.ts';
import type { Given } from '../../src/thread/dispatcher-api.ts';
import type { AtomicRecords, Messenger } from '../../src/thread/ports.ts';
import type { ThreadRecord } from '../../src/thread/thread.ts';
import { deployment, storyAgent } from './story.ts';
import { ann, createTown, type Town, thread } from './town.ts';
import { settled } from './virtual-clock.ts';

/** Counts what leaves the process, and at number `dies` (before it or after it) nothing of the process ever goes on. */
function mortal(
  town: Town,
  dies: number,
  after: boolean,
): { deps: Partial<DispatcherDeps>; points: string[]; dead(): boolean } {
  const points: string[] = [];
  let dead = false;
  const never = () => new Promise<never>(() => {});
  const through = <A extends unknown[], R>(name: string, call: (...args: A) => Promise<R>) => {
    return async (...args: A): Promise<R> => {
      if (dead) return never();
      points.push(name);
      const last = points.length - 1 === dies;
      if (last && !after) dead = true;
      if (dead) return never();
      const result = await call(...args);
      if (last) dead = true;
      return dead ? never() : result;
    };
  };
  const records: AtomicRecords<ThreadRecord> = { ...town.records, swap: through('records.swap', town.records.swap) };
  const messenger: Messenger = {
    ...town.slack,
    ask: through('slack.ask', town.slack.ask),
    repaint: through('slack.repaint', town.slack.repaint),
    amend: through('slack.amend', town.slack.amend),
    post: through('slack.post', town.slack.post),
  };
  const store: RunStore = {
    ...town.store,
    swap: through('run.swap', town.store.swap),
    append: through('run.append', town.store.append),
    delete: through('run.delete', town.store.delete),
  };
  const agent = storyAgent({
    store,
    lines: (step) => deployment[step] ?? 'More.',
    effects: town.effects,
    gate: through('model or tool', async () => {}),
  });
  return { deps: { records, messenger, agent }, points, dead: () => dead };
}

const answers: [string, Given][] = [
  ['Where?', { kind: 'answer', options: [0] }],
  ['Which?', { kind: 'answer', options: [0, 2] }],
  ['Why?', { kind: 'answer', options: [], text: 'because' }],
];

/** The whole story; whoever got no word does it again at the next process. */
async function tell(dies: number, after: boolean) {
  const town = createTown();
  const { deps, points, dead } = mortal(town, dies, after);
  town.restart(deps);
  const mention = town.message('deploy it', { root: true });
  async function until(act: () => Promise<unknown>): Promise<void> {
    for (let attempt = 0; attempt < 2; attempt++) {
      let told = false;
      void act().then(() => {
        told = true;
      });
      await settled();
      if (dead() && town.dispatcher) town.restart();
      // Longer than a lease, and than the second look.
      await town.pass(dead() ? 45_000 : 3_000);
      if (told) return;
    }
  }
  await until(() => town.dispatcher.receive(mention));
  for (const [question, given] of answers) {
    await until(async () => {
      const { id, ts } = town.card(question);
      await town.dispatcher.answer({ thread, question: id, by: ann, given, cardTs: ts });
    });
  }
  if (dead()) town.restart();
  await town.pass(90_000);
  return { town, points };
}

test.each([
  ['before', false],
  ['after', true],
] as const)(
  'killed %s any write, post or call of the model, the next process ends the story as if nothing had been',
  { timeout: 120_000 },
  async (_, after) => {
    const { points } = await tell(Number.POSITIVE_INFINITY, after);
    expect(points.length).toBeGreaterThan(30);
    const bad: string[] = [];
    for (const [index, point] of points.entries()) {
      const { town } = await tell(index, after);
      const record = await town.record();
      const cards = town.slack.standing('card');
      const transcript = await town.transcript();
      const seen = {
        replies: town.replies(),
        // A card that may be there is looked for a second time; the next one does not wait for that.
        cards: cards
          .map((m) => `${m.card?.shows.question.question} ${m.card?.shows.settled?.settlement.outcome}`)
          .sort(),
        effects: [...town.effects.values()].every((times) => times === 1),
        left: [record?.run, record?.lease, record?.posts.length, record?.strays.length],
        mentions: transcript.filter((m) => m.content === 'deploy it').length,
        answers: transcript.filter((m) => m.role === 'tool' && m.content.startsWith('User ')).map((m) => m.content),
      };
      try {
        expect(seen).toEqual({
          replies: ['Deployed.'],
          cards: ['Where? answered', 'Which? answered', 'Why? answered'],
          effects: true,
          left: [undefined, undefined, 0, 0],
          mentions: 1,
          answers: ['User selected: staging', 'User selected: ["api","worker"]', 'User responded: because'],
        });
      } catch (error) {
        bad.push(`${index} ${point}: ${(error as Error).message.slice(0, 600)}`);
      }
    }
    expect(bad).toEqual([]);
  },
);
