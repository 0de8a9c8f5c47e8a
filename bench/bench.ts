/**
 * `npm run bench` measures all, `npm run bench -- cycle ack` what is named. `--json` adds a line of JSON per section, `--rounds 5`
 * repeats what is repeated, `--seconds 60` is how long the load lasts. docs/benchmarks.md says what is compared with what.
 */
import { parseArgs } from 'node:util';
import { ack } from './ack.ts';
import { cold } from './cold.ts';
import { cycle } from './cycle.ts';
import { held } from './held.ts';
import { load } from './load.ts';
import { path } from './path.ts';
import { asTable, machine, type Section } from './report.ts';
import { stream } from './stream.ts';

type Measure = (rounds: number, seconds: number) => Promise<Section>;

const sections: Record<string, Measure> = { cycle, path, ack, stream, held, load, cold };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '15' },
  },
});
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);
const chosen = positionals.length > 0 ? positionals : Object.keys(sections);
const known = chosen.every((name) => Object.hasOwn(sections, name));
if (!known || ![rounds, seconds].every((n) => Number.isSafeInteger(n) && n > 0)) {
  console.error(`Usage: npm run bench -- [${Object.keys(sections).join('|')}] [--json] [--rounds 5] [--seconds 15]`);
  process.exit(2);
}

console.log(machine());
for (const name of chosen) {
  const section = await (sections[name] as Measure)(rounds, seconds);
  console.log(asTable(section));
  if (values.json) console.log(JSON.stringify({ section: name, machine: machine(), ...section }));
}
