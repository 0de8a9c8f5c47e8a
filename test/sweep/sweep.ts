/**
 * `npm run sweep`: tells the whole story once and counts each write to the store, call to Slack, call to the model and side effect;
 * then tells it once for each of them and each place in it, kills the bot there (-9), lets the next one take over, and looks at
 * what has become of it all. docs/reliability.md says what is promised.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { optionsOf } from '../support/command-line.ts';
import { type Service, startPostgres, startRedis } from '../support/services.ts';
import { type Chapter, chapters } from './chapters.ts';
import { type Lane, openLane } from './lane.ts';
import { type Death, type Where, wheres } from './mortal.ts';

const values = optionsOf('sweep', {
  /** sqlite, redis or postgres, each a new one; or the URL of a store that has nothing else in it. */
  store: { type: 'string', default: 'sqlite' },
  /** Every k-th death only. */
  every: { type: 'string', default: '1' },
  /** Only deaths whose line has this in it, or one of several, with commas between them. */
  only: { type: 'string', default: '' },
  /** The bot that takes over is on another machine: what the dead one held is free when its lease is over. */
  elsewhere: { type: 'boolean', default: false },
  /** In HTTP mode, where Slack comes to the bot. */
  http: { type: 'boolean', default: false },
  lanes: { type: 'string', default: '2' },
  /** s after which no more deaths are begun, and the sweep fails. */
  within: { type: 'string', default: '3000' },
  /** Keeps the stores and the log. */
  keep: { type: 'boolean', default: false },
});

/** Some of each kind. */
const EXPECTED = ['swap thread', 'swap run', 'chat.postMessage', 'chat.update', 'users.info', 'model'];

type Plan = { chapter: Chapter; death: Death; fresh: boolean };
type Row = { line: string; kind: string; outcome: 'passed' | 'failed' | 'not reached'; ms: number; faults: string[] };

const began = performance.now();
const dir = mkdtempSync(join(tmpdir(), 'askback-sweep-'));
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'askback-compile-cache');
const services: Service[] = [];
let files = 0;

async function newStore(): Promise<string> {
  switch (values.store) {
    case 'sqlite':
      return `sqlite://${join(dir, `${++files}.sqlite`)}`;
    case 'redis':
    case 'postgres': {
      const service = await (values.store === 'redis' ? startRedis() : startPostgres());
      services.push(service);
      return service.url;
    }
    default:
      return values.store;
  }
}

function wheresOf(name: string): readonly Where[] {
  return name === 'model' ? wheres : wheres.filter((where) => where !== 'halfway');
}

function kindOf(name: string): string {
  if (/^(swap|set|delete) /.test(name)) return 'store';
  return /^(model|effect)\b/.exec(name)?.[0] ?? 'slack';
}

/** How many points there are of each kind. */
function tally(plans: Plan[]): string {
  const kinds = plans.filter(({ death }) => death.where === 'before').map(({ death }) => kindOf(death.name));
  return [...new Set(kinds)].map((kind) => `${kinds.filter((other) => other === kind).length} ${kind}`).join(', ');
}

/** The story as it goes when nobody dies, and its points. The first chapter's begin when the process does. */
async function plansOf(lane: Lane): Promise<Plan[]> {
  const plans: Plan[] = [];
  for (const [index, chapter] of chapters.entries()) {
    const { faults, ms } = await lane.tell(chapter, undefined, { fresh: index === 0 });
    if (faults.length > 0) throw new Error(`"${chapter.name}" goes wrong when nobody dies:\n${faults.join('\n')}`);
    const points = await lane.points();
    const begins = points.findIndex(({ name }) => name === 'swap thread');
    console.log(`${chapter.name}: ${points.length} points, ${Math.round(ms)} ms`);
    for (const [at, point] of points.entries())
      for (const where of wheresOf(point.name)) plans.push({ chapter, death: { ...point, where }, fresh: at < begins });
  }
  // A call that goes by another way than the one that is watched would be a hole that nobody sees.
  const unseen = EXPECTED.filter((name) => !plans.some(({ death }) => death.name === name));
  if (unseen.length > 0) throw new Error(`No point of the story is ${unseen.join(' or ')}: is it still watched?`);
  return plans;
}

async function run(lane: Lane, { chapter, death, fresh }: Plan): Promise<Row> {
  const kind = kindOf(death.name);
  const line = [
    kind.padEnd(7),
    chapter.name.padEnd(25),
    `${death.name} #${death.nth}`.padEnd(32),
    death.where.padEnd(10),
  ].join(' ');
  let told = await lane.tell(chapter, death, { fresh });
  // What a process asks Slack only once, such as who somebody is, is reached by a new one.
  if (!told.died && told.faults.length === 0 && !fresh) told = await lane.tell(chapter, death, { fresh: true });
  const outcome = told.faults.length > 0 ? 'failed' : told.died ? 'passed' : 'not reached';
  return { line, kind, outcome, ms: told.ms, faults: told.faults };
}

async function sweep(): Promise<{ rows: Row[]; left: number }> {
  // A store of somebody's own is not shared by two stories at once.
  const count = values.store.includes(':') ? 1 : Number(values.lanes);
  const open = async () =>
    openLane({
      dir,
      storeUrl: await newStore(),
      elsewhere: values.elsewhere,
      mode: values.http ? 'http' : 'socket',
    });
  const isWanted = (line: string) => values.only.split(',').some((text) => line.includes(text));
  const lanes = [await open()];
  const rows: Row[] = [];
  try {
    const all = await plansOf(lanes[0] as Lane);
    console.log(`${tally(all)}: ${all.length} deaths`);
    const plans = all
      // In the order of the places, so that every k-th is one of each.
      .toSorted((a, b) => wheres.indexOf(a.death.where) - wheres.indexOf(b.death.where))
      .filter((_, index) => index % Number(values.every) === 0)
      .filter(({ chapter, death }) => isWanted(`${chapter.name} ${death.name} #${death.nth} ${death.where}`));
    console.log(`${plans.length} of them now\n`);
    while (lanes.length < count) lanes.push(await open());
    const isLate = () => performance.now() - began > Number(values.within) * 1_000;
    const work = async (index: number) => {
      for (let plan = plans.shift(); plan && !isLate(); plan = plans.shift()) {
        const row = await run(lanes[index] as Lane, plan);
        rows.push(row);
        console.log(`${row.line} ${row.outcome.padEnd(12)} ${String(Math.round(row.ms)).padStart(6)}`);
        for (const fault of row.faults) console.log(`        ${fault}`);
        // A lane in which something went wrong may be in a state of its own.
        if (row.faults.length > 0) {
          await lanes[index]?.close();
          lanes[index] = await open();
        }
      }
    };
    await Promise.all(lanes.map((_, index) => work(index)));
    return { rows, left: plans.length };
  } finally {
    await Promise.all(lanes.map((lane) => lane.close()));
    for (const service of services) await service[Symbol.asyncDispose]();
  }
}

const { rows, left } = await sweep();
const of = (outcome: Row['outcome']) => rows.filter((row) => row.outcome === outcome);
const failed = of('failed').length;
console.log('');
for (const row of [...of('failed'), ...of('not reached')]) console.log(`${row.line} ${row.outcome}`);
for (const kind of new Set(rows.map((row) => row.kind))) {
  const mine = rows.filter((row) => row.kind === kind);
  const slowest = Math.max(...mine.map((row) => row.ms));
  console.log(
    `${kind.padEnd(7)} ${String(mine.length).padStart(4)} deaths, the slowest story ${Math.round(slowest)} ms`,
  );
}
const keep = failed > 0 || values.keep;
const seconds = Math.round((performance.now() - began) / 1_000);
if (left > 0) console.log(`${left} deaths were left when the time was over: --within gives more, --every takes fewer.`);
console.log(`${of('not reached').length} not reached, ${seconds} s${keep ? `; what happened is in ${dir}` : ''}`);
if (!keep) rmSync(dir, { recursive: true, force: true });
console.log(`${of('passed').length} passed, ${failed} failed`);
// Some points are a matter of a race; many that are not reached are a sweep that does not look.
process.exitCode = failed > 0 || left > 0 || of('not reached').length > Math.max(4, rows.length / 20) ? 1 : 0;
