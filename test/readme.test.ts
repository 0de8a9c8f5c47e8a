/** What the README shows as code does what it says, for who copies it. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ModelServer, startModelServer } from '../src/playground/model-server.ts';
import { openStore } from '../src/storage/open.ts';
import { createRecords } from '../src/storage/records.ts';
import type { ThreadId } from '../src/thread/ports.ts';
import { newThread, threadKind } from '../src/thread/thread.ts';

const root = new URL('../', import.meta.url).pathname;
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const [agent = '', script = '', ...others] = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code);

let dir: string;
let model: ModelServer;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'askback-readme-'));
  // As `npm install <path to this folder> zod` leaves a project.
  mkdirSync(join(dir, 'node_modules'));
  symlinkSync(root, join(dir, 'node_modules/askback'));
  symlinkSync(join(root, 'node_modules/zod'), join(dir, 'node_modules/zod'));
  writeFileSync(join(dir, 'package.json'), '{ "type": "module" }');
  model = await startModelServer({
    script: ({ messages, tools }) => {
      const last = messages.at(-1);
      if (last?.role === 'tool') return { type: 'answer', text: `Heard: ${last.content}` };
      const [name, args] = JSON.stringify(tools ?? []).includes('"deploy"')
        ? ['deploy', { service: 'billing', environment: 'staging' }]
        : ['ask_user', { question: 'Which repository?' }];
      return { type: 'answer', calls: [{ name, arguments: args }] };
    },
  });
});
afterAll(async () => {
  await model?.close();
  rmSync(dir, { recursive: true, force: true });
});

/** What it prints. Whatever it asks, this is typed. */
function run(name: string, code: string, typed = ''): Promise<string> {
  writeFileSync(join(dir, name), code);
  const env = { PATH: process.env.PATH, OPENAI_BASE_URL: model.url, OPENAI_MODEL: 'scripted-demo' };
  return new Promise((resolve, reject) => {
    const child = execFile(process.execPath, [name], { cwd: dir, env, timeout: 60_000 }, (error, out, errors) =>
      error ? reject(new Error(`${error.message}\n${out}\n${errors}`)) : resolve(out + errors),
    );
    child.stdout?.on('data', (said: string) => said.endsWith('> ') && child.stdin?.write(`${typed}\n`));
  });
}

test.concurrent('the agent of one’s own is one, and uses its tool', { timeout: 60_000 }, async () => {
  writeFileSync(join(dir, 'my-agent.ts'), agent);
  const driver = `
    import { openaiModel } from 'askback/openai';
    import make from './my-agent.ts';
    const model = openaiModel({ apiKey: 'none', baseURL: process.env.OPENAI_BASE_URL, model: 'scripted-demo' });
    console.log(await (await make({ model }).stream('Deploy billing')).text);
  `;
  expect(await run('driver.ts', driver)).toContain('Heard: deployed billing to staging');
});

test.concurrent('the script asks in the terminal, and prints the reply', { timeout: 60_000 }, async () => {
  const said = await run('ask.ts', script, 'The main repo');
  expect(said).toContain('Which repository?');
  expect(said).toContain('Heard: User responded: The main repo');
});

test('what people think of replies is listed as it says', async () => {
  const file = join(dir, 'askback.sqlite');
  const store = await openStore(`sqlite://${file}`);
  const feedback = [{ runId: 'r1', by: 'U1', is: 'good' as const, at: 1 }];
  const record = { ...newThread('T1:C1:1.0' as ThreadId, 1), feedback };
  await createRecords(store, threadKind).swap(record.id, undefined, record);
  await store.close();
  const [, sql = ''] = /^sqlite3 data\/askback\.sqlite "(.*)"$/m.exec(readme) ?? [];
  const db = new DatabaseSync(file, { readOnly: true });
  const rows = db.prepare(sql).all();
  db.close();
  expect(rows).toMatchObject([{ key: 'thread/T1:C1:1.0', value: JSON.stringify(feedback[0]) }]);
});

test('there is no other code in it', () => {
  expect(others).toEqual([]);
});
