import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

test('what is compiled at a start is kept beside the code for the next one', () => {
  const args = ['--import', './src/require-node24.js', '--print', "require('node:module').getCompileCacheDir()"];
  const kept = execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8', env: { PATH: process.env.PATH } });
  expect(kept).toContain(join(root, 'node_modules/.cache/askback'));
});
