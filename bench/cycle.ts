/** One suspend, persist, resume cycle: the real agent and run store beside the floor and, when PEERS names them, the peers. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root, runToEnd, temporaryFolder } from './process.ts';
import { medians, type Row, type Section } from './report.ts';

type Figures = Record<string, number>;
type Contestant = { what: string; speed(file: string): Figures; memory(file: string): Figures };

const CYCLES = '1000';
const HELD = '1000';

function ours(what: string, subject: string): Contestant {
  const worker = (kind: string, file: string, count: string) =>
    runToEnd(join(root, 'bench/cycle-worker.ts'), [subject, kind, file, count]);
  return {
    what,
    speed: (file) => worker('speed', file, CYCLES),
    memory: (file) => worker('memory', file, HELD),
  };
}

/** Frameworks that do the same job, in a folder of their own whose `run.mjs <peer> <cycle|rss>` prints JSON. */
function peer(folder: string, name: string): Contestant {
  const run = (kind: string, file: string) =>
    runToEnd('run.mjs', [name, kind], {
      cwd: folder,
      env: { DBFILE: file, N: CYCLES, M: String(2 * Number(CYCLES)), RUNS: HELD },
    });
  return {
    what: `peer: ${name}`,
    speed(file) {
      const { p50 = 0, p95 = 0, cps1 = 0, cps50 = 0 } = run('cycle', file);
      return { p50, p95, at1: cps1, at50: cps50 };
    },
    memory(file) {
      const { bytesPerRun = 0, rssAfter1000 = 0, rssBefore = 0, heapMB = 0 } = run('rss', file);
      return { bytesPerRun, rss: rssAfter1000, rssGrown: rssAfter1000 - rssBefore, heap: heapMB };
    },
  };
}

function peers(): Contestant[] {
  const folder = process.env.PEERS;
  if (!folder) return [];
  const names = ['keyv-own', 'openai-agents', 'langgraph', 'mastra'];
  const installed = names.filter((name) => existsSync(join(folder, name, 'node_modules')));
  if (installed.length === 0) throw new Error(`PEERS names ${folder}, where none of ${names.join(', ')} is installed.`);
  return installed.map((name) => peer(folder, name));
}

/** The rounds are interleaved, so that a busy minute of the machine is everybody's. */
export async function cycle(rounds: number): Promise<Section> {
  using folder = temporaryFolder();
  const contestants = [
    ours('Askback', 'agent'),
    ours('Askback, in a thread', 'agent-thread'),
    ours('floor: bare node:sqlite', 'floor'),
    ...peers(),
  ];
  const found = contestants.map(({ what }) => ({ what, speed: [] as Figures[], memory: [] as Figures[] }));
  for (let round = 0; round < rounds; round++) {
    for (const [index, contestant] of contestants.entries()) {
      found[index]?.speed.push(contestant.speed(join(folder.path, `${index}-${round}-speed.sqlite`)));
      found[index]?.memory.push(contestant.memory(join(folder.path, `${index}-${round}-memory.sqlite`)));
    }
  }
  return {
    title: 'Cycle: ask, suspend, store, read back, answer, finish (17 messages, 7 KB; model in process)',
    rows: found.map((each) => rowOf(each)),
    notes: [
      `${CYCLES} cycles one after another, then ${2 * Number(CYCLES)} by 50 at once, in a fresh process; medians of ${rounds} interleaved rounds.`,
      'p50, p95 and cpu are ms per cycle; cpu is of all threads of the process. bytes: on disk per suspended run. MB: with 1,000 suspended; grown: by them.',
      'noise: half of what lies between the lowest and the highest round, in percent of the median, of p50.',
      'In a thread: the 16 earlier messages are in the thread’s transcript and not in the run; at its end the run joins them, which is a fourth synced write.',
    ],
  };
}

function rowOf({ what, speed, memory }: { what: string; speed: Figures[]; memory: Figures[] }): Row {
  const { figures } = medians(speed);
  const { figures: held } = medians(memory);
  const { noise } = medians(speed.map(({ p50 = 0 }) => ({ p50 })));
  return {
    what,
    'p50 ms': figures.p50 ?? '',
    'p95 ms': figures.p95 ?? '',
    'cpu ms': figures.cpu ?? '',
    'per s at 1': figures.at1 ?? '',
    'per s at 50': figures.at50 ?? '',
    'bytes/run': held.bytesPerRun ?? '',
    'RSS MB': held.rss ?? '',
    'grown MB': held.rssGrown ?? '',
    'heap MB': held.heap ?? '',
    'noise %': noise,
  };
}
