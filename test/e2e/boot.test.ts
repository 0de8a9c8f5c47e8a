/** A process that cannot start says why in words for an operator, once, and ends with 1; and a store that is broken in places. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Playground, startPlayground } from '../../src/playground/server.ts';
import { options } from './asking.ts';
import { isCard, talkOf, textOf } from './talk.ts';
import { bot, botCommand, PATIENCE, root, startWorld, team } from './world.ts';

type Boot = { env: Record<string, string>; says: RegExp };

describe('a start that fails', () => {
  let slack: Playground;
  let dir: string;
  const taken = createServer();
  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'askback-boot-'));
    writeFileSync(join(dir, 'text.txt'), 'this is no database, whatever its name says');
    writeFileSync(join(dir, 'no-agent.ts'), 'export default { stream: 7 };\n');
    writeFileSync(join(dir, 'broken-agent.ts'), "throw new Error('my own mistake');\n");
    const later = new DatabaseSync(join(dir, 'later.sqlite'));
    later.exec('PRAGMA application_id = 1098083121; PRAGMA user_version = 99; CREATE TABLE records (key TEXT)');
    later.close();
    const other = new DatabaseSync(join(dir, 'other.sqlite'));
    other.exec('CREATE TABLE customers (name TEXT)');
    other.close();
    slack = await startPlayground({ manifest: join(root, 'manifest.yml') });
    taken.listen(0, '127.0.0.1');
    await once(taken, 'listening');
  });
  afterAll(async () => {
    taken.close();
    await slack?.close();
    rmSync(dir, { recursive: true, force: true });
  });

  const fine = () => ({
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    SLACK_API_URL: slack.apiUrl,
    OPENAI_API_KEY: 'sk-secret-of-the-model',
    STORE_URL: `sqlite://${join(dir, 'fine.sqlite')}`,
  });
  const file = (name: string) => `sqlite://${join(dir, name)}`;

  async function boot(env: Record<string, string>) {
    const child = spawn(botCommand.command, botCommand.args, { cwd: root, env: { PATH: process.env.PATH, ...env } });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    const tooLong = setTimeout(() => child.kill('SIGKILL'), PATIENCE);
    const [code] = await once(child, 'close');
    clearTimeout(tooLong);
    return { code, output };
  }

  test.concurrent.for<[string, () => Boot]>([
    [
      'no settings',
      () => ({
        env: {},
        says: /SLACK_BOT_TOKEN is missing[\s\S]*SLACK_APP_TOKEN is missing[\s\S]*OPENAI_API_KEY is missing/,
      }),
    ],
    [
      'settings of the wrong kind',
      () => ({
        env: { ...fine(), SLACK_BOT_TOKEN: 'xoxp-1', PORT: 'eighty', ANSWER_POLICY: 'nobody', RETENTION: '7' },
        says: /SLACK_BOT_TOKEN must start with xoxb-[\s\S]*PORT must be[\s\S]*ANSWER_POLICY must be[\s\S]*RETENTION must be/,
      }),
    ],
    [
      'a bot token that Slack refuses',
      () => ({
        env: { ...fine(), SLACK_BOT_TOKEN: 'xoxb-wrong' },
        says: /Slack refused SLACK_BOT_TOKEN \(invalid_auth\)/,
      }),
    ],
    [
      'an app token that Slack refuses',
      () => ({
        env: { ...fine(), SLACK_APP_TOKEN: 'xapp-wrong' },
        says: /Slack refused SLACK_APP_TOKEN \(invalid_auth\)/,
      }),
    ],
    [
      'an agent that is not there',
      () => ({ env: { ...fine(), AGENT: './nowhere.ts' }, says: /AGENT names .*nowhere\.ts, which cannot be loaded/ }),
    ],
    [
      'an agent that throws',
      () => ({ env: { ...fine(), AGENT: join(dir, 'broken-agent.ts') }, says: /AGENT names .*my own mistake/ }),
    ],
    [
      'an agent that is none',
      () => ({ env: { ...fine(), AGENT: join(dir, 'no-agent.ts') }, says: /neither an agent/ }),
    ],
    [
      'a store of no known kind',
      () => ({
        env: { ...fine(), STORE_URL: 'mysql://root:hunter2@localhost/x' },
        says: /STORE_URL begins with mysql/,
      }),
    ],
    [
      'a store that is a directory',
      () => ({ env: { ...fine(), STORE_URL: `sqlite://${dir}` }, says: /it is a directory/ }),
    ],
    [
      'a store that is a text',
      () => ({ env: { ...fine(), STORE_URL: file('text.txt') }, says: /not an SQLite database/ }),
    ],
    [
      'a store of another program',
      () => ({ env: { ...fine(), STORE_URL: file('other.sqlite') }, says: /database of another program/ }),
    ],
    [
      'a store of a later version',
      () => ({ env: { ...fine(), STORE_URL: file('later.sqlite') }, says: /later version of Askback/ }),
    ],
    [
      'a store that nobody serves',
      () => ({
        env: { ...fine(), STORE_URL: 'redis://user:hunter2@127.0.0.1:1' },
        says: /127\.0\.0\.1:1|ECONNREFUSED/,
      }),
    ],
    [
      'a port that is taken',
      () => ({
        env: { ...fine(), PORT: String((taken.address() as AddressInfo).port) },
        says: /HOST and PORT .*EADDRINUSE.*Free that port/,
      }),
    ],
    [
      'a host that is not there',
      () => ({
        env: { ...fine(), HOST: 'nowhere.invalid', PORT: '0' },
        says: /HOST is no name .*(ENOTFOUND|EAI_AGAIN)/,
      }),
    ],
    [
      'a host of another machine',
      () => ({ env: { ...fine(), HOST: '192.0.2.1', PORT: '0' }, says: /HOST is no name .*EADDRNOTAVAIL/ }),
    ],
  ])('%s', async ([, row]) => {
    const { env, says } = row();
    const { code, output } = await boot(env);
    expect(output).toMatch(says);
    expect(code, output).toBe(1);
    // For an operator: no stack, no secret, and not a page of it.
    expect(output).not.toMatch(/\n\s+at |\\n\s+at |sk-secret|hunter2/);
    expect(output.trim().split('\n').length, output).toBeLessThan(8);
  });
});

test('a record that is broken: its thread is told, the others go on, and it is left as it is', async () => {
  await using world = await startWorld({ mode: 'http' });
  const asked = { question: 'Where to?', options: options('staging', 'production') };
  const talks = await Promise.all([1, 2, 3].map(() => talkOf(world, world.place(), asked)));
  const cards = await Promise.all(talks.map((talk) => talk.card()));
  await Promise.all(talks.map((talk) => talk.atRest()));
  await world.stop();

  const file = join(world.dir, 'askback.sqlite');
  const keys = talks.map((talk) => `thread/${team}:${talk.channel}:${talk.thread}`);
  const broken = ['{"value":{"v":1,', '{"value":{"v":1,"id":7,"questions":"none"}}'];
  const db = new DatabaseSync(file);
  for (const [index, value] of broken.entries()) {
    db.prepare('UPDATE records SET value = ?, due = 1 WHERE key = ?').run(value, keys[index] as string);
  }
  db.close();
  await world.start();

  for (const [index] of broken.entries()) {
    const [talk, card] = [talks[index] as (typeof talks)[0], cards[index] as (typeof cards)[0]];
    expect(await talk.click(card, 'staging')).toMatchObject({ ok: true });
    await talk.told('no longer read what I knew');
    expect(textOf(await talk.card())).toEqual(textOf(card));
    const before = world.whispers(talk.as).length;
    await talk.say(`<@${bot}> are you there?`);
    await vi.waitUntil(() => world.whispers(talk.as).length > before, { timeout: PATIENCE });
    expect(world.whispers(talk.as)).toHaveLength(before + 1);
  }
  const [healthy, card] = [talks[2] as (typeof talks)[0], cards[2] as (typeof cards)[0]];
  expect(await healthy.click(card, 'staging')).toMatchObject({ ok: true });
  await healthy.reads('Heard: User selected: staging');
  expect(healthy.posts().filter(isCard)).toEqual([]);

  const log = world.log().filter((line) => line.includes('tried each minute'));
  for (const key of keys.slice(0, 2))
    expect(
      log.filter((line) => line.includes(key)),
      key,
    ).toHaveLength(1);
  await world.stop();
  const after = new DatabaseSync(file, { readOnly: true });
  const left = keys.slice(0, 2).map((key) => after.prepare('SELECT value FROM records WHERE key = ?').get(key)?.value);
  after.close();
  expect(left).toEqual(broken);
});
