/** `npm run demo`, as somebody runs it: it prints where the page is, the bot comes up, and Ctrl-C ends all of it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { Snapshot, Update } from '../../src/playground/protocol.ts';
import { bot, deployments, mara, PATIENCE, root } from './world.ts';

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test('npm run demo', async () => {
  // As on a machine that has neither Slack nor a model.
  const { OPENAI_API_KEY: _, OPENAI_BASE_URL: __, ...env } = process.env;
  // A group of its own, as a terminal's: Ctrl-C is for all of it.
  const demo = spawn('npm', ['run', 'demo'], { cwd: root, env, detached: true });
  const group = -(demo.pid as number);
  const closed = once(demo, 'close');
  let output = '';
  for (const stream of [demo.stdout, demo.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  try {
    const url = await vi.waitUntil(() => /http:\/\/127\.0\.0\.1:\d+\//.exec(output)?.[0], { timeout: PATIENCE });
    expect(output).toContain('a scripted demo model');
    const page = await fetch(url);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<div id=')]);

    const live = new WebSocket(`${url.replace('http', 'ws')}playground/live`);
    const world: { snapshot?: Snapshot; bot?: Snapshot['bot']; asked: boolean } = { asked: false };
    live.on('message', (data) => {
      const update = JSON.parse(String(data)) as Update;
      if (update.type === 'snapshot') world.snapshot = update;
      if (update.type === 'snapshot' || update.type === 'bot') world.bot = update.bot;
      if (update.type === 'message' && update.message.user === bot) world.asked ||= update.message.blocks !== undefined;
    });
    await vi.waitUntil(() => world.bot?.state === 'running', { timeout: PATIENCE });
    const action = { do: 'say', as: mara, channel: deployments, text: `<@${bot}> deploy the billing service` };
    const said = await fetch(`${url}playground/do`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(action),
    });
    expect(await said.json()).toMatchObject({ ok: true });
    await vi.waitUntil(() => world.asked, { timeout: PATIENCE });
    live.close();

    const pid = world.bot?.pid as number;
    expect(isAlive(pid)).toBe(true);
    process.kill(group, 'SIGINT');
    await closed;
    expect(output).toContain('Stopping…');
    await vi.waitUntil(() => !isAlive(pid) && !isAlive(group), { timeout: PATIENCE });
    await expect(fetch(url)).rejects.toThrow();
  } finally {
    if (isAlive(group)) process.kill(group, 'SIGKILL');
  }
});

test('npm run demo with a model of one’s own that needs no key', async () => {
  const { OPENAI_API_KEY: _, ...rest } = process.env;
  const env = { ...rest, OPENAI_BASE_URL: 'http://127.0.0.1:1/v1', OPENAI_MODEL: 'my-own' };
  const demo = spawn('npm', ['run', 'demo'], { cwd: root, env, detached: true });
  const group = -(demo.pid as number);
  const closed = once(demo, 'close');
  let output = '';
  demo.stdout.setEncoding('utf8').on('data', (text) => (output += text));
  try {
    await vi.waitUntil(() => output.includes('Model '), { timeout: PATIENCE });
    expect(output).toMatch(/Model +my-own\n/);
    process.kill(group, 'SIGINT');
    await closed;
  } finally {
    if (isAlive(group)) process.kill(group, 'SIGKILL');
  }
});
