/** The whole of it for end-to-end tests: a playground, a scripted model server, and the real bot as a process of its own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Script, startModelServer } from '../../src/playground/model-server.ts';
import type { Action, Block, Done, PlaygroundMessage, Snapshot, StateValues } from '../../src/playground/protocol.ts';
import { type PlaygroundOptions, startPlayground } from '../../src/playground/server.ts';

export const mara = 'U0MARA0001';
export const tomas = 'U0TOMAS001';
export const guest = 'U0GUEST001';
export const bot = 'U0ASKBACK1';
export const deployments = 'C0DEPLOYS1';
export const general = 'C0GENERAL1';

const root = join(import.meta.dirname, '../..');

export type WorldOptions = Omit<PlaygroundOptions, 'bot' | 'manifest'> & {
  script: Script;
  /** More of the bot's environment. */
  env?: Record<string, string>;
  storeUrl?: string;
  /** The entry that is started; default: the product's. */
  main?: string;
};

export type World = Awaited<ReturnType<typeof startWorld>>;

export async function startWorld({ script, env, storeUrl, main = 'src/main.ts', ...options }: WorldOptions) {
  const dir = mkdtempSync(join(tmpdir(), 'askback-e2e-'));
  const model = await startModelServer({ script });
  const slack = await startPlayground({
    ...options,
    manifest: join(root, 'manifest.yml'),
    bot: {
      command: process.execPath,
      args: ['--import', './src/require-node24.js', main],
      cwd: root,
      env: {
        PATH: process.env.PATH,
        OPENAI_BASE_URL: model.url,
        OPENAI_MODEL: 'scripted-demo',
        STORE_URL: storeUrl ?? `sqlite://${join(dir, 'askback.sqlite')}`,
        LOG_LEVEL: 'debug',
        ...env,
      },
    },
  });
  const act = async (action: Action): Promise<Done & { ok: true }> => {
    const done = await slack.do(action);
    if (!done.ok) throw new Error(`${action.do} as ${action.as} was refused: ${done.error}`);
    return done;
  };
  const up = () => slack.wait((s) => s.bot.state === 'running', { what: 'the bot to run' });
  await up();

  const inThread = (s: Snapshot, ts: string) =>
    s.messages.filter((m) => (m.thread_ts ?? m.ts) === ts && m.user === bot && m.ephemeralTo === undefined);

  return {
    slack,
    model,
    dir,
    act,
    up,
    /** The bot's visible messages in a thread, oldest first. */
    posts: (thread: string) => inThread(slack.state(), thread),
    /** Says it, and gives the message's ts. */
    async say(
      text: string,
      { as = mara, channel = deployments, thread }: { as?: string; channel?: string; thread?: string } = {},
    ) {
      const { ts } = await act({ do: 'say', as, channel, text, ...(thread && { thread_ts: thread }) });
      return ts as string;
    },
    /** A message of the bot's in the thread that this says yes to. */
    sees: (thread: string, what: string, predicate: (message: PlaygroundMessage) => boolean, timeoutMs = 15_000) =>
      slack.wait((s) => inThread(s, thread).find(predicate), { what: `in the thread: ${what}`, timeoutMs }),
    whispers: (to: string) => slack.state().messages.filter((m) => m.ephemeralTo === to),
    /** Clicks the button that is called so. */
    click: (message: PlaygroundMessage, label: string | RegExp, as = mara, state?: StateValues) =>
      slack.do({ as, ...button(message, label), ...(state && { state }) }),
    view: (user: string, what = 'a modal') =>
      slack.wait((s) => s.views.find((v) => v.user === user && v.type === 'modal'), { what }),
    async stop() {
      await act({ do: 'bot', as: mara, command: 'stop' });
    },
    async kill() {
      await act({ do: 'bot', as: mara, command: 'kill' });
    },
    async start() {
      await act({ do: 'bot', as: mara, command: 'start' });
      await up();
    },
    async [Symbol.asyncDispose]() {
      await slack.close();
      await model.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

type Element = { type: string; action_id?: string; text?: { text: string }; value?: string; [key: string]: unknown };

function elements(blocks: Block[] = []): { block: Block; element: Element }[] {
  return blocks.flatMap((block) => {
    const own = [
      ...((block.elements ?? []) as Element[]),
      ...(block.accessory ? [block.accessory as unknown as Element] : []),
      ...(block.element ? [block.element as unknown as Element] : []),
    ];
    return own.filter((e) => e.action_id !== undefined).map((element) => ({ block, element }));
  });
}

/** Every control of a message or view. */
export const controls = (blocks: Block[] | undefined) => elements(blocks).map(({ element }) => element);

export function control(blocks: Block[] | undefined, type: string) {
  const found = elements(blocks).find(({ element }) => element.type === type);
  if (!found) throw new Error(`There is no ${type} in ${JSON.stringify(blocks)}`);
  return { ...found.element, block_id: found.block.block_id as string, action_id: found.element.action_id as string };
}

export const hasButton = (message: PlaygroundMessage, label: string | RegExp) =>
  elements(message.blocks).some(({ element }) => element.type === 'button' && matches(element.text?.text ?? '', label));

const matches = (text: string, label: string | RegExp) =>
  typeof label === 'string' ? text === label : label.test(text);

export function button(message: PlaygroundMessage, label: string | RegExp) {
  const found = elements(message.blocks).find(
    ({ element }) => element.type === 'button' && matches(element.text?.text ?? '', label),
  );
  if (!found) throw new Error(`There is no button ${label} on ${JSON.stringify(message.blocks)}`);
  const { block, element } = found;
  return {
    do: 'interact' as const,
    container: { type: 'message' as const, channel: message.channel, ts: message.ts },
    block_id: block.block_id as string,
    action_id: element.action_id as string,
    action: { type: 'button', ...(element.value !== undefined && { value: element.value }) },
  };
}

/** All that a person reads in a message. */
export const textOf = (message: PlaygroundMessage): string => JSON.stringify([message.text, message.blocks ?? []]);
