/** The rules as docs/reliability.md lists them, as test/rules/table.ts takes them out, and as the code has them. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { taken } from './table.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

const [, table = ''] = read('docs/reliability.md').split('## Rules and their tests');
const rows = [...table.matchAll(/^\| (?!rule \|)(?!---)(.+?) \| (.+) \|$/gm)].map(([, rule, tests]) => ({
  rule,
  tests,
}));

test('each rule of the documentation is taken out, and no other', () => {
  expect(rows.length).toBeGreaterThan(40);
  expect([...new Set(taken.map(({ rule }) => rule))].toSorted()).toEqual(rows.map(({ rule }) => rule).toSorted());
});

test('its tests are there, and those that it is taken out for are named there', () => {
  for (const { rule, tests } of rows) {
    for (const [, name = ''] of (tests ?? '').matchAll(/`([a-z0-9/-]+)`/g)) {
      expect(existsSync(join(root, `test/${name}.test.ts`)) || name === 'storage/contract', `${rule}: ${name}`).toBe(
        true,
      );
    }
    const named = taken.filter((one) => one.rule === rule).flatMap((one) => one.tests);
    for (const name of named) expect(tests, rule).toContain(`\`${name}\``);
  }
});

test.for(taken)('$file keeps it in one place: $rule', ({ file, was, is }) => {
  expect(read(file).split(was)).toHaveLength(2);
  expect(is).not.toBe(was);
});
