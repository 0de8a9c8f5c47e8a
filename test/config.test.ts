import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ConfigError, readConfig, readModelConfig } from '../src/config.ts';

const socket = { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN: 'xapp-1', OPENAI_API_KEY: 'sk-1' };

const problems = (env: Record<string, string>): readonly string[] => {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
};

test('two tokens and a model key are enough: Socket Mode, everything else by default', () => {
  expect(readConfig(socket)).toEqual({
    slack: { mode: 'socket', botToken: 'xoxb-1', feedback: true, appToken: 'xapp-1' },
    model: { apiKey: 'sk-1', model: 'gpt-5-mini' },
    storeUrl: 'sqlite://./data/askback.sqlite',
    allowLossyStore: false,
    policy: { answer: 'requester', allowGuests: false, allowExternal: false },
    askList: [],
    retention: 90 * 86_400_000,
    maxRuns: 50,
    logLevel: 'info',
  });
});

test('without an app token it is HTTP mode, on port 3000 of this machine', () => {
  const config = readConfig({ SLACK_BOT_TOKEN: 'xoxb-1', SLACK_SIGNING_SECRET: 's', OPENAI_API_KEY: 'sk-1' });
  expect(config.slack).toEqual({ mode: 'http', botToken: 'xoxb-1', feedback: true, signingSecret: 's' });
  expect(config.http).toEqual({ host: '127.0.0.1', port: 3000 });
});

test('blank settings are unset, and every setting has its way into the config', () => {
  const config = readConfig({
    ...socket,
    SLACK_SIGNING_SECRET: '',
    SLACK_API_URL: 'http://127.0.0.1:8765/api',
    PORT: '0',
    OPENAI_BASE_URL: 'http://127.0.0.1:1/v1',
    OPENAI_MODEL: 'm',
    OPENAI_IMAGES: 'no',
    STORE_URL: 'redis://127.0.0.1:6379',
    STORE_ALLOW_LOSSY: 'yes',
    AGENT: './agent.ts',
    ANSWER_POLICY: 'participants',
    ALLOW_GUESTS: 'true',
    ALLOW_EXTERNAL: '1',
    ALLOWED_USERS: 'U1, W2',
    ALLOWED_CHANNELS: 'C1 D2',
    ASK_LIST: 'finance:S1FINANCE, on call:U1AAA+W2BBB',
    QUESTION_REMIND_AFTER: '30m',
    QUESTION_EXPIRE_AFTER: '7d',
    RETENTION: '12h',
    MAX_RUNS: '3',
    FEEDBACK_BUTTONS: 'no',
    LOG_LEVEL: 'debug',
  });
  expect(config).toEqual({
    slack: {
      mode: 'socket',
      botToken: 'xoxb-1',
      feedback: false,
      appToken: 'xapp-1',
      apiUrl: 'http://127.0.0.1:8765/api/',
    },
    http: { host: '127.0.0.1', port: 0 },
    model: { apiKey: 'sk-1', baseURL: 'http://127.0.0.1:1/v1', model: 'm', seesImages: false },
    storeUrl: 'redis://127.0.0.1:6379',
    allowLossyStore: true,
    agent: './agent.ts',
    policy: {
      answer: 'participants',
      allowGuests: true,
      allowExternal: true,
      allowedUsers: ['U1', 'W2'],
      allowedChannels: ['C1', 'D2'],
    },
    askList: [
      { name: 'finance', ids: ['S1FINANCE'] },
      { name: 'on call', ids: ['U1AAA', 'W2BBB'] },
    ],
    remindAfter: 1_800_000,
    expireAfter: 604_800_000,
    retention: 43_200_000,
    maxRuns: 3,
    logLevel: 'debug',
  });
});

test.for([
  [{}, ['SLACK_BOT_TOKEN is missing', 'SLACK_APP_TOKEN is missing', 'OPENAI_API_KEY is missing']],
  [{ ...socket, SLACK_BOT_TOKEN: 'xoxp-1' }, ['SLACK_BOT_TOKEN must start with xoxb-']],
  [{ ...socket, SLACK_BOT_TOKEN: 'xoxb-1 2' }, ['SLACK_BOT_TOKEN must start with xoxb-']],
  [{ ...socket, SLACK_BOT_TOKEN: 'xoxb-…' }, ['SLACK_BOT_TOKEN must start with xoxb- and be a whole token']],
  [{ ...socket, SLACK_APP_TOKEN: 'xoxb-1' }, ['SLACK_APP_TOKEN must start with xapp-']],
  [{ ...socket, SLACK_API_URL: 'slack' }, ['SLACK_API_URL must be a URL such as https://slack.com/api/']],
  [{ ...socket, OPENAI_API_KEY: '', OPENAI_BASE_URL: 'http://x/v1' }, ['OPENAI_MODEL is missing']],
  [
    { ...socket, OPENAI_BASE_URL: 'ftp://x', OPENAI_MODEL: 'm' },
    ['OPENAI_BASE_URL must be a URL such as https://api.example.com/v1'],
  ],
  [{ ...socket, PORT: '70000' }, ['PORT must be a port number']],
  [{ ...socket, PORT: 'http' }, ['PORT must be a port number']],
  [{ ...socket, ANSWER_POLICY: 'all' }, ['ANSWER_POLICY must be requester, participants or anyone']],
  [{ ...socket, ALLOW_GUESTS: 'maybe' }, ['ALLOW_GUESTS must be on or off (true or false)']],
  [{ ...socket, ALLOWED_USERS: 'anna' }, ['ALLOWED_USERS must be Slack user ids']],
  [{ ...socket, ALLOWED_USERS: ',' }, ['ALLOWED_USERS must name at least one']],
  [{ ...socket, ALLOWED_CHANNELS: '#general' }, ['ALLOWED_CHANNELS must be Slack channel ids']],
  [{ ...socket, ASK_LIST: 'finance' }, ['ASK_LIST must be names with ids of people or user groups, such as']],
  [{ ...socket, ASK_LIST: 'finance:@ada' }, ['ASK_LIST must be names with ids of people or user groups, such as']],
  [{ ...socket, ASK_LIST: 'U1AAA:U1AAA' }, ['ASK_LIST must be names with ids of people or user groups, such as']],
  [{ ...socket, ASK_LIST: 'a:U1AAA,A:U2BBB' }, ['ASK_LIST must have each name once only']],
  [{ ...socket, QUESTION_EXPIRE_AFTER: '2 weeks' }, ['QUESTION_EXPIRE_AFTER must be a number and a unit']],
  [{ ...socket, QUESTION_REMIND_AFTER: '0m' }, ['QUESTION_REMIND_AFTER must be between 1s and 3650d']],
  [{ ...socket, RETENTION: '99999d' }, ['RETENTION must be between 1s and 3650d']],
  [{ ...socket, MAX_RUNS: '0' }, ['MAX_RUNS must be a whole number of at least 1']],
  [{ ...socket, SUGGESTED_PROMPTS: 'a;b;c;d;e' }, ['SUGGESTED_PROMPTS must have at most 4 prompts']],
  [{ ...socket, SUGGESTED_PROMPTS: 'Deploy =' }, ['SUGGESTED_PROMPTS must be prompts such as']],
  [{ ...socket, SUGGESTED_PROMPTS: 'x'.repeat(76) }, ['SUGGESTED_PROMPTS must be prompts such as']],
  [{ ...socket, LOG_LEVEL: 'loud' }, ['LOG_LEVEL must be trace']],
] as const)('%j is refused, and the operator reads what to mend', ([env, expected]) => {
  const found = problems(env as Record<string, string>);
  expect(found).toHaveLength(expected.length);
  for (const [i, start] of expected.entries()) expect(found[i]).toContain(start);
});

test.for([
  [undefined, undefined],
  ...['on', 'True', 'yes', '1'].map((word) => [word, undefined] as const),
  ...['off', 'False', 'no', '0'].map((word) => [word, []] as const),
  ['What is new?', [{ title: 'What is new?', message: 'What is new?' }]],
  [
    ' Plan a release = Plan the release of 2.4 ;\nWhy = Why is a = b? ',
    [
      { title: 'Plan a release', message: 'Plan the release of 2.4' },
      { title: 'Why', message: 'Why is a = b?' },
    ],
  ],
] as const)('SUGGESTED_PROMPTS of %j are %j', ([given, expected]) => {
  expect(readConfig({ ...socket, ...(given !== undefined && { SUGGESTED_PROMPTS: given }) }).prompts).toEqual(expected);
});

test.for([
  ...['on', 'True', 'YES', '1'].map((word) => [word, true] as const),
  ...['off', 'False', 'NO', '0'].map((word) => [word, false] as const),
])('FEEDBACK_BUTTONS, and every switch, of %j is %j', ([word, expected]) => {
  const config = readConfig({ ...socket, FEEDBACK_BUTTONS: word, ALLOW_GUESTS: word, OPENAI_IMAGES: word });
  expect(config).toMatchObject({ slack: { feedback: expected }, policy: { allowGuests: expected } });
  expect(config.model?.seesImages ?? true).toBe(expected);
});

test('an agent of one’s own needs no model settings', () => {
  const { OPENAI_API_KEY: _, ...rest } = socket;
  expect(readConfig({ ...rest, AGENT: './mine.ts' }).model).toBeUndefined();
  expect(readModelConfig({})).toEqual({ problem: expect.stringContaining('OPENAI_API_KEY') });
});

test('no environment, however odd, does anything but parse or explain; and no secret is repeated in the explanation', () => {
  const keys = [...Object.keys(socket), 'PORT', 'RETENTION', 'ALLOWED_USERS', 'SLACK_API_URL', 'MAX_RUNS', 'STORE_URL'];
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom(...keys), fc.oneof(fc.string(), fc.string({ unit: 'binary' }))),
      (env) => {
        for (const problem of problems(env)) expect(problem).toMatch(/^[A-Z_]+ /);
      },
    ),
  );
  expect(problems({ ...socket, SLACK_BOT_TOKEN: 'hunter2-secret' }).join()).not.toContain('hunter2');
});
