/** One subject, one kind of figure, one process: `cycle-worker.ts <subject> <speed|memory> <file> <cycles>`; prints JSON. */
import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { finalText } from './job.ts';
import { quantile } from './report.ts';
import { subjects } from './subjects.ts';

const [name = '', kind = '', file = '', count = ''] = process.argv.slice(2);
const open = subjects[name as keyof typeof subjects];
const cycles = Number(count);
const subject = await open(file);

async function cycle(run: string): Promise<void> {
  await subject.start(run);
  const text = await subject.resume(run);
  if (text !== finalText) throw new Error(`The cycle ended with "${text}".`);
}

async function prepared(names: readonly string[]): Promise<readonly string[]> {
  for (const run of names) await subject.prepare(run);
  return names;
}

const named = (prefix: string, length: number) => Array.from({ length }, (_, index) => `${prefix}${index}`);
const seconds = (since: number) => (performance.now() - since) / 1000;

async function speed(): Promise<Record<string, number>> {
  for (const run of await prepared(named('warm', 40))) await cycle(run);

  const took: number[] = [];
  const alone = await prepared(named('one', cycles));
  const cpu = process.cpuUsage();
  const begun = performance.now();
  for (const run of alone) {
    const at = performance.now();
    await cycle(run);
    took.push(performance.now() - at);
  }
  const perSecond = cycles / seconds(begun);
  const { user, system } = process.cpuUsage(cpu);

  const queue = [...(await prepared(named('many', cycles * 2)))];
  const together = performance.now();
  const one = async () => {
    for (let run = queue.pop(); run !== undefined; run = queue.pop()) await cycle(run);
  };
  await Promise.all(Array.from({ length: 50 }, one));
  return {
    p50: quantile(took, 0.5),
    p95: quantile(took, 0.95),
    cpu: (user + system) / 1000 / cycles,
    at1: perSecond,
    at50: (cycles * 2) / seconds(together),
  };
}

async function memory(): Promise<Record<string, number>> {
  const settled = () => {
    globalThis.gc?.();
    globalThis.gc?.();
    const { rss, heapUsed } = process.memoryUsage();
    return { rss: rss / 2 ** 20, heap: heapUsed / 2 ** 20 };
  };
  const runs = await prepared(named('held', cycles));
  const bytesBefore = size();
  const before = settled();
  for (const run of runs) await subject.start(run);
  const after = settled();
  return {
    bytesPerRun: (size() - bytesBefore) / cycles,
    rss: after.rss,
    rssGrown: after.rss - before.rss,
    heap: after.heap,
    heapGrown: after.heap - before.heap,
  };
}

/** Bytes of the file when all of its log has become part of it. */
function size(): number {
  const db = new DatabaseSync(file);
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
  return statSync(file).size;
}

console.log(JSON.stringify(kind === 'speed' ? await speed() : await memory()));
process.exit(0);
