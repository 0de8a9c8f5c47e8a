/**
 * `npm run bench` measures all, `npm run bench -- cycle ack` what is named. `--json` adds a line of JSON per section, `--rounds 5`
 * repeats what is repeated. docs/benchmarks.md says what is compared with what.
 */
import { parseArgs } from 'node:util';
import { ack } from './ack.ts';
import { cycle } from './cycle.ts';
import { path } from './path.ts';
import { asTable, machine, type Section } from './report.ts';
import { stream } from './stream.ts';

const sections: Record<string, (rounds: number) => Promise<Section>> = { cycle, ack, path, stream };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean', default: false }, rounds: { type: 'string', default: '5' } },
});
const rounds = Number(values.rounds);
const names = positionals.length > 0 ? positionals : Object.keys(sections);
const unknown = names.filter((name) => !Object.hasOwn(sections, name));
if (unknown.length > 0 || !Number.isSafeInteger(rounds) || rounds < 1) {
  console.error(`Usage: npm run bench -- [${Object.keys(sections).join('|')}] [--json] [--rounds 5]`);
  process.exit(2);
}

console.log(machine());
for (const name of names) {
  const section = await (sections[name] as (typeof sections)[string])(rounds);
  console.log(asTable(section));
  if (values.json) console.log(JSON.stringify({ section: name, machine: machine(), ...section }));
}
