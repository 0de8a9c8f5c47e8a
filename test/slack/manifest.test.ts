import { existsSync, globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { EVENT_SCOPES, FEATURE_SCOPES, METHOD_SCOPES, VIEW_METHOD_SCOPES } from '../../src/slack/scopes.ts';
import { offeredManifest, manifestText as text } from '../support/manifest.ts';

const root = new URL('../../', import.meta.url);

const manifestSchema = z.object({
  display_information: z.object({ name: z.string().max(35), description: z.string().max(140) }),
  features: z.looseObject({ bot_user: z.object({ display_name: z.string().max(80), always_online: z.boolean() }) }),
  oauth_config: z.object({ scopes: z.strictObject({ bot: z.array(z.string()) }) }),
  settings: z.looseObject({
    event_subscriptions: z.strictObject({ bot_events: z.array(z.string()), request_url: z.string().optional() }),
    interactivity: z.strictObject({ is_enabled: z.literal(true), request_url: z.string().optional() }),
    socket_mode_enabled: z.boolean(),
    token_rotation_enabled: z.literal(false),
  }),
});
const manifest = manifestSchema.parse(parse(text));
const sorted = (names: Iterable<string>) => [...new Set(names)].sort();

const sources = globSync('src/slack/**/*.ts', { cwd: root }).map((file) => readFileSync(new URL(file, root), 'utf8'));

/** Each `client.a.b(` and `client.a.b.c(` of the sources, over line ends too. */
function methodsCalled(): string[] {
  const calls = /\bclient((?:\s*\.\s*[a-zA-Z]+)+)\s*\(/g;
  const chains = sources.flatMap((source) =>
    [...source.matchAll(calls)].map((match) => (match[1] ?? '').replace(/\s/g, '').slice(1)),
  );
  // `refusals` is our own, beside Slack's methods.
  return sorted(chains.filter((chain) => chain.includes('.') && !chain.startsWith('refusals.')));
}

test('the methods that the code calls are those whose scopes are known', () => {
  expect(methodsCalled()).toEqual(sorted(Object.keys({ ...METHOD_SCOPES, ...VIEW_METHOD_SCOPES })));
});

test('the scopes are exactly those that a method or an event needs', () => {
  const features = Object.keys(manifest.features).flatMap((feature) => FEATURE_SCOPES[feature] ?? []);
  const needed = [...Object.values(METHOD_SCOPES), ...Object.values(EVENT_SCOPES), features].flat();
  expect(sorted(manifest.oauth_config.scopes.bot)).toEqual(sorted(needed));
  expect(new Set(manifest.oauth_config.scopes.bot).size).toBe(manifest.oauth_config.scopes.bot.length);
});

test('the events are exactly those whose scopes are known, and each has a listener', () => {
  const { bot_events } = manifest.settings.event_subscriptions;
  expect(sorted(bot_events)).toEqual(sorted(Object.keys(EVENT_SCOPES)));
  const listened = sources.join('\n');
  for (const event of bot_events) expect(listened).toMatch(new RegExp(`\\b${event.split('.')[0]}\\b['(]`));
});

test('it asks for nothing that only some plans have', () => {
  expect(manifest.features).not.toHaveProperty('agent_view');
  expect(manifest.features).not.toHaveProperty('assistant_view');
  expect(manifest.settings.socket_mode_enabled).toBe(true);
});

test('with the lines for agents and for HTTP taken in, it is a whole manifest too', () => {
  const offered = manifestSchema.parse(parse(offeredManifest()));
  expect(offered.features).toMatchObject({ agent_view: { agent_description: expect.any(String) } });
  const more = Object.values(VIEW_METHOD_SCOPES).flat();
  expect(sorted(offered.oauth_config.scopes.bot)).toEqual(sorted([...manifest.oauth_config.scopes.bot, ...more]));
  expect(offered.settings.event_subscriptions).toMatchObject({
    request_url: expect.stringMatching(/\/slack\/events$/),
    bot_events: expect.arrayContaining(['agent_session_stopped']),
  });
});

const schemaFile = new URL('../shared/data/manifest/manifest.schema.2.0.0.json', root);
test.skipIf(!existsSync(schemaFile)).for<[string, string]>([
  ['as it is', text],
  ['with all that it offers', offeredManifest()],
])('Slack’s own schema takes it %s (skipped where the schema is not at hand)', ([, yaml]) => {
  const schema = z.fromJSONSchema(JSON.parse(readFileSync(schemaFile, 'utf8')));
  expect(schema.safeParse(parse(yaml)).error?.issues ?? []).toEqual([]);
  expect(schema.safeParse({ ...parse(yaml), settings: { socket_mode_enabled: 'yes' } }).success).toBe(false);
});

test('the README shows the lines for agents as the manifest offers them', () => {
  const readme = readFileSync(new URL('README.md', root), 'utf8');
  const [, yaml = ''] = /### Slack's agent view.*?```yaml\n(.*?)```/s.exec(readme) ?? [];
  const shown = parse(yaml);
  const offered = parse(offeredManifest());
  expect(shown.features.agent_view).toEqual(offered.features.agent_view);
  const added = (whole: string[], plain: string[]) => whole.filter((name) => !plain.includes(name));
  expect(shown.oauth_config.scopes.bot).toEqual(
    added(offered.oauth_config.scopes.bot, manifest.oauth_config.scopes.bot),
  );
  expect(shown.settings.event_subscriptions.bot_events).toEqual(
    added(offered.settings.event_subscriptions.bot_events, manifest.settings.event_subscriptions.bot_events),
  );
});
