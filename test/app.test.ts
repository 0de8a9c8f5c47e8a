import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createApp } from '../src/app.ts';
import { type Config, ConfigError, readConfig } from '../src/config.ts';

const log = pino({ level: 'silent' });
const config = (more: Record<string, string> = {}): Config =>
  readConfig({
    SLACK_BOT_TOKEN: 'xoxb-1',
    SLACK_APP_TOKEN: 'xapp-1',
    OPENAI_API_KEY: 'sk-1',
    STORE_URL: 'sqlite://:memory:',
    ...more,
  });

test('the example agent is one that the app takes, and so is a ready-made one', async () => {
  const app = await createApp(config({ AGENT: './examples/release-bot.ts' }), { log });
  await app.stop(0);
});

test.for([
  ['nothing.ts', undefined, /cannot be loaded/],
  ['empty.ts', 'export const x = 1;', /neither an agent .* nor a function/],
  ['throws.ts', 'throw new Error("no database");', /no database/],
  ['wrong.ts', 'export default () => ({ stream() {} });', /neither an agent/],
] as const)('AGENT %s is refused in words for the operator', async ([name, source, problem]) => {
  const dir = mkdtempSync(join(tmpdir(), 'askback-agent-'));
  try {
    if (source !== undefined) writeFileSync(join(dir, name), source);
    const starting = createApp(config({ AGENT: join(dir, name) }), { log });
    await expect(starting).rejects.toThrow(ConfigError);
    await expect(starting).rejects.toThrow(problem);
  } finally {
    rmSync(dir, { recursive: true });
  }
});

test('an agent that asks for a model where none is configured says what to set', async () => {
  const settings = config({ OPENAI_API_KEY: '', AGENT: './examples/release-bot.ts' });
  await expect(createApp(settings, { log })).rejects.toThrow(/OPENAI_API_KEY/);
});
