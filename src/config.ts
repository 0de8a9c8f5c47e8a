/** The environment, parsed once. Every problem is found in one go, and each tells the operator which variable to mend and how. */
import { z } from 'zod';

/** `seesImages` false: the model reads text alone. */
export type ModelConfig = { apiKey: string; baseURL?: string; model: string; seesImages?: boolean };

export type Config = {
  /** `feedback`: replies carry thumbs. */
  slack: { botToken: string; apiUrl?: string; feedback: boolean } & (
    | { mode: 'socket'; appToken: string }
    | { mode: 'http'; signingSecret: string }
  );
  /** Where HTTP is served: Slack's requests in HTTP mode, `/healthz` and `/readyz` in both. In Socket Mode only if PORT is set. */
  http?: { host: string; port: number };
  /** Absent only when `agent` is set: an agent of one's own may bring its own model. */
  model?: ModelConfig;
  storeUrl: string;
  /** The store may be a Redis that can lose acknowledged writes. */
  allowLossyStore: boolean;
  /** Path of a module that exports the agent. */
  agent?: string;
  policy: {
    answer: 'requester' | 'participants' | 'anyone';
    allowGuests: boolean;
    allowExternal: boolean;
    /** undefined: everyone. */
    allowedUsers?: string[];
    allowedChannels?: string[];
  };
  /** Whom an agent may ask by name: ids of people and of user groups. */
  askList: { name: string; ids: string[] }[];
  /** ms; undefined: off. */
  remindAfter?: number;
  expireAfter?: number;
  /** ms that a thread with nothing open stays in the store. */
  retention: number;
  maxRuns: number;
  /** What an empty chat offers; undefined: what the reader's language has; empty: nothing. */
  prompts?: { title: string; message: string }[];
  logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent';
};

/** `problems`: one sentence each, for an operator. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(['Askback cannot start with these settings:', ...problems.map((p) => `  - ${p}`)].join('\n'));
    this.problems = problems;
  }
}

type Env = Readonly<Record<string, string | undefined>>;

const token = (prefix: string, where: string) =>
  z.string().regex(new RegExp(`^${prefix}[!-~]+$`), `must start with ${prefix} and be a whole token (${where})`);
/** A switch, in whichever of these words; undefined: it is none of them. */
function switched(value: string): boolean | undefined {
  const word = value.toLowerCase();
  if (['on', 'true', 'yes', '1'].includes(word)) return true;
  return ['off', 'false', 'no', '0'].includes(word) ? false : undefined;
}
const yes = z
  .string()
  .transform(switched)
  .refine((v) => v !== undefined, 'must be on or off (true or false)');
const ids = (what: string, pattern: RegExp) =>
  z
    .string()
    .transform((v) => v.split(/[\s,]+/).filter(Boolean))
    .pipe(z.array(z.string().regex(pattern, `must be ${what}, separated by commas`)).min(1, `must name at least one`));
/** Letters of any script, digits, and what stands between words; not what would read as an id. */
const entry =
  /^(?![USW][A-Z0-9]{2,}:)([\p{L}\p{N}][\p{L}\p{N} ._-]{0,49}):([USW][A-Z0-9]{2,}(?:\+[USW][A-Z0-9]{2,})*)$/u;
const askList = z
  .string()
  .transform((v) =>
    v
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  )
  .pipe(
    z
      .array(
        z
          .string()
          .regex(
            entry,
            'must be names with ids of people or user groups, such as finance:S012ABCDEF,oncall:U012ABCDEF+U034GHIJKL',
          ),
      )
      .refine(
        (list) => new Set(list.map((v) => v.split(':')[0]?.toLowerCase())).size === list.length,
        'must have each name once only',
      ),
  )
  .transform((list) =>
    list.map((v) => {
      const [name = '', ids = ''] = v.split(':');
      return { name, ids: ids.split('+') };
    }),
  );
const webUrl = (example: string) => z.url({ protocol: /^https?$/, error: `must be a URL such as ${example}` });

const unit = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
/** A timer of Node holds at most 2^31-1 ms, but these are kept as due times in the store: ten years is only a sane bound. */
const duration = z
  .string()
  .regex(/^\d+(s|m|h|d)$/, 'must be a number and a unit, such as 30m, 4h or 7d')
  .transform((v) => Number.parseInt(v, 10) * unit[v.slice(-1) as keyof typeof unit])
  .refine((ms) => ms >= 1_000 && ms <= 3_650 * unit.d, 'must be between 1s and 3650d');

/** As many as Slack shows. */
const MOST_PROMPTS = 4;
/** On: those of the reader's language. Off: none. Else `title = message`, or a message that is its own title; with semicolons or line ends between. */
const prompts = z
  .string()
  .transform((v) => {
    const on = switched(v);
    if (on === undefined) return v.split(/[;\n]/).filter((part) => part.trim() !== '');
    return on ? undefined : [];
  })
  .pipe(
    z
      .array(
        z
          .string()
          .transform((part) => {
            const [, title = part, message = part] = /^([^=]*)=(.*)$/s.exec(part) ?? [];
            return { title: title.trim(), message: message.trim() };
          })
          .refine(
            ({ title, message }) => title !== '' && message !== '' && title.length <= 75 && message.length <= 2_000,
            'must be prompts such as "Plan a release = Plan the release of 2.4" (a title of at most 75 characters, a message of at most 2000), with semicolons between',
          ),
      )
      .max(MOST_PROMPTS, `must have at most ${MOST_PROMPTS} prompts, with semicolons between`)
      .optional(),
  );

const schema = z.object({
  SLACK_BOT_TOKEN: token('xoxb-', 'your app, "Install App"'),
  SLACK_APP_TOKEN: token(
    'xapp-',
    'your app, "Basic Information", "App-Level Tokens", scope connections:write',
  ).optional(),
  SLACK_SIGNING_SECRET: z.string().optional(),
  SLACK_API_URL: webUrl('https://slack.com/api/').optional(),
  HOST: z.string().default('127.0.0.1'),
  PORT: z
    .string()
    .regex(/^\d+$/, 'must be a port number')
    .transform(Number)
    .refine((n) => n <= 65_535, 'must be a port number (0 to 65535)')
    .optional(),
  OPENAI_API_KEY: z.string().optional(),
  OPENAI_BASE_URL: webUrl('https://api.example.com/v1').optional(),
  OPENAI_MODEL: z.string().optional(),
  OPENAI_IMAGES: yes.optional(),
  STORE_URL: z.string().default('sqlite://./data/askback.sqlite'),
  STORE_ALLOW_LOSSY: yes.default(false),
  AGENT: z.string().optional(),
  ANSWER_POLICY: z
    .enum(['requester', 'participants', 'anyone'], 'must be requester, participants or anyone')
    .default('requester'),
  ALLOW_GUESTS: yes.default(false),
  ALLOW_EXTERNAL: yes.default(false),
  ALLOWED_USERS: ids('Slack user ids such as U012ABCDEF', /^[UW][A-Z0-9]+$/).optional(),
  ALLOWED_CHANNELS: ids('Slack channel ids such as C012ABCDEF', /^[CGD][A-Z0-9]+$/).optional(),
  ASK_LIST: askList.default([]),
  QUESTION_REMIND_AFTER: duration.optional(),
  QUESTION_EXPIRE_AFTER: duration.optional(),
  RETENTION: duration.default(90 * unit.d),
  MAX_RUNS: z
    .string()
    .regex(/^[1-9]\d*$/, 'must be a whole number of at least 1')
    .transform(Number)
    .default(50),
  FEEDBACK_BUTTONS: yes.default(true),
  SUGGESTED_PROMPTS: prompts.optional(),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'], 'must be trace, debug, info, warn, error or silent')
    .default('info'),
});

/** The bot's settings (README, "Settings"). Throws a `ConfigError` that names every problem. */
export function readConfig(env: Env): Config {
  const parsed = schema.safeParse(settings(env));
  const problems = parsed.success ? [] : parsed.error.issues.map(describe);
  const { appToken, signingSecret } = {
    appToken: env.SLACK_APP_TOKEN?.trim(),
    signingSecret: env.SLACK_SIGNING_SECRET?.trim(),
  };
  if (!appToken && !signingSecret)
    problems.push(
      'SLACK_APP_TOKEN is missing: set it to use Socket Mode (recommended), or set SLACK_SIGNING_SECRET to receive requests over HTTP.',
    );
  const model = readModelConfig(env);
  if ('problem' in model && !env.AGENT?.trim()) problems.push(model.problem);
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems);

  const v = parsed.data;
  const slack = {
    botToken: v.SLACK_BOT_TOKEN,
    feedback: v.FEEDBACK_BUTTONS,
    ...(v.SLACK_API_URL && { apiUrl: withSlash(v.SLACK_API_URL) }),
  };
  return {
    slack: v.SLACK_APP_TOKEN
      ? { ...slack, mode: 'socket', appToken: v.SLACK_APP_TOKEN }
      : { ...slack, mode: 'http', signingSecret: v.SLACK_SIGNING_SECRET ?? '' },
    ...((!v.SLACK_APP_TOKEN || v.PORT !== undefined) && { http: { host: v.HOST, port: v.PORT ?? 3000 } }),
    ...(!('problem' in model) && { model }),
    storeUrl: v.STORE_URL,
    allowLossyStore: v.STORE_ALLOW_LOSSY,
    ...(v.AGENT && { agent: v.AGENT }),
    policy: {
      answer: v.ANSWER_POLICY,
      allowGuests: v.ALLOW_GUESTS,
      allowExternal: v.ALLOW_EXTERNAL,
      ...(v.ALLOWED_USERS && { allowedUsers: v.ALLOWED_USERS }),
      ...(v.ALLOWED_CHANNELS && { allowedChannels: v.ALLOWED_CHANNELS }),
    },
    askList: v.ASK_LIST,
    ...(v.QUESTION_REMIND_AFTER && { remindAfter: v.QUESTION_REMIND_AFTER }),
    ...(v.QUESTION_EXPIRE_AFTER && { expireAfter: v.QUESTION_EXPIRE_AFTER }),
    retention: v.RETENTION,
    maxRuns: v.MAX_RUNS,
    ...(v.SUGGESTED_PROMPTS && { prompts: v.SUGGESTED_PROMPTS }),
    logLevel: v.LOG_LEVEL,
  };
}

/** The model's settings alone, for `npm run chat`; `problem` says what to set. */
export function readModelConfig(env: Env): ModelConfig | { problem: string } {
  const { OPENAI_API_KEY, OPENAI_BASE_URL, OPENAI_MODEL, OPENAI_IMAGES } = settings(env);
  if (!OPENAI_BASE_URL && !OPENAI_API_KEY)
    return {
      problem:
        'OPENAI_API_KEY is missing: set it, or set OPENAI_BASE_URL and OPENAI_MODEL to use an OpenAI-compatible server that needs none.',
    };
  if (OPENAI_BASE_URL && !OPENAI_MODEL)
    return { problem: 'OPENAI_MODEL is missing: name a model that the server at OPENAI_BASE_URL offers.' };
  return {
    // The client insists on some key; servers that need none ignore it.
    apiKey: OPENAI_API_KEY ?? 'none',
    ...(OPENAI_BASE_URL && { baseURL: OPENAI_BASE_URL }),
    model: OPENAI_MODEL ?? 'gpt-5-mini',
    ...(yes.safeParse(OPENAI_IMAGES).data === false && { seesImages: false }),
  };
}

/** Set but empty is unset: what a compose file or a copied `.env` with blanks gives. */
function settings(env: Env): Record<string, string> {
  const known = Object.keys(schema.shape);
  return Object.fromEntries(
    known.flatMap((key) => {
      const value = env[key]?.trim();
      return value ? [[key, value]] : [];
    }),
  );
}

function describe(issue: z.core.$ZodIssue): string {
  const name = String(issue.path[0]);
  const missing = issue.code === 'invalid_type' && issue.input === undefined;
  if (missing && name === 'SLACK_BOT_TOKEN')
    return 'SLACK_BOT_TOKEN is missing: it is the "Bot User OAuth Token" (xoxb-…) of your app, under "Install App".';
  return `${name} ${issue.message}.`;
}

const withSlash = (url: string) => (url.endsWith('/') ? url : `${url}/`);
