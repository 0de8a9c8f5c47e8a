/**
 * `npm run rules`: takes each rule of docs/reliability.md out of a copy of the code, one by one, and runs the tests that are named for
 * it. They pass with the rule (seen first) and must fail without it. Exits with 1 when one does not.
 */
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { optionsOf } from '../support/command-line.ts';
import { type Taken, taken } from './table.ts';

const root = join(import.meta.dirname, '../..');
const COPIED = ['src', 'test', 'package.json', 'tsconfig.json', 'vitest.config.ts', 'manifest.yml', 'docs'];
/** ms for the tests of one rule, which may never end without it, and for those of all. */
const PATIENCE = 120_000;
const PATIENCE_FOR_ALL = 600_000;

const values = optionsOf('rules', {
  /** Only rules that have these words. */
  only: { type: 'string', default: '' },
  /** Copies at work at once. */
  parallel: { type: 'string', default: String(availableParallelism()) },
});
const chosen = taken.filter(({ rule }) => rule.includes(values.only));
const lanes = Number(values.parallel);
if (chosen.length === 0 || !Number.isInteger(lanes) || lanes < 1) {
  console.error('No rule has these words, or --parallel is no number of copies.');
  process.exit(2);
}

type Run = { failed: string[]; passed: number; hung: boolean };

/** Of the code in `copy`. Rejects when no test was run: that says nothing about a rule. */
async function run(copy: string, tests: readonly string[], patience: number): Promise<Run> {
  const out = join(copy, 'rules.json');
  rmSync(out, { force: true });
  const files = tests.map((test) => `test/${test}.test.ts`);
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const args = [vitest, 'run', ...files, '--reporter=json', `--outputFile=${out}`, '--maxWorkers=1'];
  const child = spawn(process.execPath, args, { cwd: copy, stdio: 'ignore', env: { ...process.env, CI: '' } });
  let hung = false;
  const late = setTimeout(() => {
    hung = true;
    child.kill('SIGKILL');
  }, patience);
  await new Promise((resolve) => child.once('exit', resolve));
  clearTimeout(late);
  if (hung) return { failed: [], passed: 0, hung };
  const report: {
    numTotalTests: number;
    numPassedTests: number;
    testResults: { assertionResults: { status: string; fullName: string }[]; message: string }[];
  } = JSON.parse(readFileSync(out, 'utf8'));
  if (report.numTotalTests === 0) throw new Error(`No test was run: ${report.testResults[0]?.message ?? files}`);
  const results = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = results.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName);
  return { failed, passed: report.numPassedTests, hung };
}

function copied(): string {
  const copy = mkdtempSync(join(tmpdir(), 'askback-rules-'));
  for (const name of COPIED) cpSync(join(root, name), join(copy, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

async function without(copy: string, { file, was, is, tests }: Taken): Promise<Run> {
  const path = join(copy, file);
  const text = readFileSync(path, 'utf8');
  if (text.split(was).length !== 2) throw new Error(`${file} does not have this once: ${was}`);
  writeFileSync(
    path,
    text.replace(was, () => is),
  );
  try {
    return await run(copy, tests, PATIENCE);
  } finally {
    writeFileSync(path, text);
  }
}

const begun = performance.now();
const waiting = [...chosen.entries()];
let wrong = 0;

async function lane(): Promise<void> {
  const copy = copied();
  try {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, rule] = next;
      const said = await without(copy, rule).then(
        ({ failed, passed, hung }) => {
          if (hung) return 'noticed: the tests never end';
          const [first, ...others] = failed;
          if (first === undefined) return undefined;
          return `noticed by ${failed.length} of ${failed.length + passed}: ${first}${others.length > 0 ? ', …' : ''}`;
        },
        (error: unknown) => `WRONG: ${String(error)}`,
      );
      if (said === undefined || said.startsWith('WRONG')) wrong += 1;
      console.log(`${index + 1}/${chosen.length} ${rule.rule} (${rule.file})\n    ${said ?? 'NOT NOTICED'}`);
    }
  } finally {
    rmSync(copy, { recursive: true });
  }
}

const whole = copied();
const all = await run(whole, [...new Set(chosen.flatMap(({ tests }) => tests))], PATIENCE_FOR_ALL).finally(() =>
  rmSync(whole, { recursive: true }),
);
if (all.failed.length > 0 || all.hung) {
  console.error(`These fail with all rules in place: ${all.failed.join(', ') || 'they never end'}`);
  process.exit(1);
}
await Promise.all(Array.from({ length: Math.min(lanes, chosen.length) }, lane));
const seconds = Math.round((performance.now() - begun) / 1_000);
console.log(
  `${chosen.length - wrong} of ${chosen.length} are noticed when they are out, ${wrong} are not (${seconds} s)`,
);
process.exitCode = wrong > 0 ? 1 : 0;
