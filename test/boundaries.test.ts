/** The import table of ARCHITECTURE.md, held by reading the sources. A folder is a boundary. */
import { globSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const sources = globSync('src/**/*.{ts,tsx}', { cwd: root })
  .map((path) => path.replaceAll('\\', '/'))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

/** What each room may import: rooms and files of ours (by prefix under src/), and packages. */
const table: Record<string, { ours: string[]; packages: string[] }> = {
  'agent/': { ours: ['agent/'], packages: ['zod'] },
  'openai/': { ours: ['openai/', 'agent/'], packages: ['openai', 'zod'] },
  'thread/': { ours: ['thread/', 'agent/'], packages: ['zod'] },
  'storage/': {
    ours: ['storage/', 'agent/', 'thread/'],
    packages: ['keyv', '@keyv/redis', 'pg', 'zod', 'node:sqlite', 'node:fs', 'node:path', 'node:crypto'],
  },
  'slack/': {
    ours: ['slack/', 'thread/', 'agent/'],
    packages: ['@slack/bolt', '@slack/web-api', '@slack/types', 'zod', 'node:events', 'node:http', 'node:https'],
  },
  'cli/': {
    ours: ['cli/', 'agent/', 'openai/', 'storage/', 'thread/', 'slack/', 'config.ts', 'app.ts'],
    packages: ['node:*'],
  },
  'playground/': {
    ours: ['playground/'],
    packages: ['node:*', 'ws', 'vite', 'yaml', 'react', 'react-dom', 'react-markdown', 'remark-gfm'],
  },
  'app.ts': {
    ours: ['agent/', 'openai/', 'storage/', 'thread/', 'slack/', 'config.ts', 'holder-process.ts'],
    packages: ['node:*', 'pino'],
  },
  'holder-process.ts': { ours: ['thread/'], packages: ['node:*'] },
  'config.ts': { ours: [], packages: ['zod'] },
  'main.ts': { ours: ['app.ts', 'config.ts'], packages: ['node:*', 'pino'] },
};

function imports(text: string): string[] {
  const from = [...text.matchAll(/(?:^|\n)\s*(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]/g)].map(
    (m) => m[1] ?? '',
  );
  const bare = [...text.matchAll(/(?:^|\n)\s*import\s*['"]([^'"]+)['"]/g)].map((m) => m[1] ?? '');
  const dynamic = [...text.matchAll(/\bimport\(\s*['"]([^'"]+)['"]\s*\)/g)].map((m) => m[1] ?? '');
  return [...from, ...bare, ...dynamic];
}

const packageOf = (name: string) =>
  name.startsWith('node:')
    ? name
    : name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/');

function violations(path: string, text: string): string[] {
  const inside = path.replace(/^src\//, '');
  const room = Object.keys(table).find((prefix) => inside.startsWith(prefix));
  const rule = room === undefined ? undefined : table[room];
  if (!rule) return [`${path}: belongs to no room`];
  return imports(text).flatMap((name) => {
    if (name.startsWith('.')) {
      const target = relative('src', join(dirname(path), name)).replaceAll('\\', '/');
      return rule.ours.some((prefix) => target.startsWith(prefix)) ? [] : [`${path} imports ${target}`];
    }
    const pkg = packageOf(name);
    if (!name.startsWith('node:') && builtinModules.includes(name)) return [`${path} imports ${name} without node:`];
    const allowed = rule.packages.some((p) => (p.endsWith('*') ? pkg.startsWith(p.slice(0, -1)) : p === pkg));
    return allowed ? [] : [`${path} imports ${name}`];
  });
}

test('every source imports only what its room may', () => {
  expect(sources.length).toBeGreaterThan(0);
  expect(sources.flatMap(({ path, text }) => violations(path, text))).toEqual([]);
});

test('the check itself sees a forbidden import, in each form', () => {
  for (const text of [
    "import { x } from '../slack/text.ts';",
    "import type { X } from '../storage/store.ts';",
    "export { x } from 'keyv';",
    "import 'pino';",
    "const x = await import('../app.ts');",
    "import {\n  a,\n  b,\n} from '@slack/bolt';",
    "import fs from 'fs';",
  ])
    expect(violations('src/agent/agent.ts', text), text).toHaveLength(1);
});

test('no drawers, no barrels', () => {
  const drawers = sources.filter(({ path }) => /\/(utils?|helpers?|types|index|common|misc)\.tsx?$/.test(path));
  expect(drawers.map(({ path }) => path)).toEqual([]);
});

/** One place each; the playground and the terminal are programs of their own. */
const single: { what: string; pattern: RegExp; where: RegExp }[] = [
  { what: 'process.env', pattern: /\bprocess\.env\b/, where: /^src\/(main\.ts|cli\/|playground\/)/ },
  { what: 'the clock', pattern: /\bDate\.now\b|\bnew Date\(\)/, where: /^src\/(app\.ts|cli\/|playground\/)/ },
  {
    what: 'random ids',
    pattern: /\brandomUUID\b|\bMath\.random\b|\brandomBytes\b/,
    where: /^src\/(app\.ts|agent\/(agent|handler)\.ts|cli\/|playground\/)/,
  },
  { what: 'console', pattern: /\bconsole\./, where: /^src\/(main\.ts|cli\/|playground\/)/ },
];

test.for(single)('$what is touched in its own place only', ({ pattern, where }) => {
  const code = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
  const touched = sources.filter(({ path, text }) => pattern.test(code(text)) && !where.test(path));
  expect(touched.map(({ path }) => path)).toEqual([]);
});
