/** The real bot in the real playground, with a model that does what it is told, and hands for the people in it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Script, startModelServer } from '../../src/playground/model-server.ts';
import type { Action, Block, PlaygroundMessage, PlaygroundView, StateValues } from '../../src/playground/protocol.ts';
import { startPlayground } from '../../src/playground/server.ts';
import { type Asked, asking } from '../../test/e2e/asking.ts';
import { bot, control, hasButton, mara, optionsCalled, textOf } from '../../test/sweep/shown.ts';

const root = join(import.meta.dirname, '../..');
/** ms. */
const PATIENCE = 40_000;

export type Stage = Awaited<ReturnType<typeof startStage>>;
/** A thread in a channel of its own: Slack takes one post a second in a channel. */
export type Talk = Awaited<ReturnType<Stage['talk']>>;

export type StageOptions = { script?: Script; env?: Record<string, string>; channels?: number };

export async function startStage({ script = asking, env = {}, channels = 0 }: StageOptions = {}) {
  const dir = mkdtempSync(join(tmpdir(), 'askback-pictures-'));
  const free = Array.from({ length: channels }, (_, n) => `C0DESK${String(n + 1).padStart(4, '0')}`);
  const errands = new Map<string, readonly Asked[]>();
  const model = await startModelServer({ script: onErrands(script, errands) });
  const slack = await startPlayground({
    page: true,
    manifest: join(root, 'manifest.yml'),
    channels: free.map((id, n) => ({ id, name: `desk-${n + 1}`, kind: 'channel', members: [mara, bot] })),
    bot: {
      command: process.execPath,
      args: ['--import', './src/require-node24.js', 'src/main.ts'],
      cwd: root,
      model: 'Scripted demo model',
      env: {
        PATH: process.env.PATH,
        OPENAI_BASE_URL: model.url,
        OPENAI_MODEL: 'scripted-demo',
        STORE_URL: `sqlite://${join(dir, 'askback.sqlite')}`,
        ...env,
      },
    },
  });
  await slack.wait((s) => s.bot.state === 'running', { what: 'the bot', timeoutMs: PATIENCE });

  async function act(action: Action): Promise<string | undefined> {
    const done = await slack.do(action);
    if (!done.ok) throw new Error(`${action.do} as ${action.as} was refused: ${done.error}`);
    return done.ts;
  }

  function nextChannel(): string {
    const next = free.shift();
    if (next === undefined) throw new Error(`More than ${channels} threads: give the stage more channels.`);
    return next;
  }

  /** `text`: what Mara says to the bot, which begins the thread. */
  async function talk(text: string, channel = nextChannel()) {
    const said = channel.startsWith('D') ? text : `<@${bot}> ${text}`;
    const thread = (await act({ do: 'say', as: mara, channel, text: said })) as string;
    const isHere = (m: PlaygroundMessage) => m.thread_ts === thread && m.user === bot && m.ephemeralTo === undefined;
    const posts = () => slack.state().messages.filter(isHere);
    const sees = (what: string, isIt: (message: PlaygroundMessage) => boolean) =>
      slack.wait((s) => s.messages.find((m) => isHere(m) && isIt(m)), { what, timeoutMs: PATIENCE });

    return {
      thread,
      channel,
      posts,
      sees,
      reads: (words: string) => sees(words, (m) => textOf(m).includes(words)),
      /** The open cards, when there are so many. */
      cards: (count = 1) =>
        slack.wait(() => posts().filter(isCard).length === count && posts().filter(isCard), {
          what: `${count} open cards`,
          timeoutMs: PATIENCE,
        }),
      /** The card when it has no more Skip. */
      settled: ({ ts }: PlaygroundMessage) =>
        sees('the receipt', (m) => m.ts === ts && !isCard(m) && m.edited !== undefined),
      say: (words: string) => act({ do: 'say', as: mara, channel, text: words, thread_ts: thread }),

      press: (card: PlaygroundMessage, label: string, state?: StateValues, as = mara) => {
        const { block_id, action_id } = control(card, 'button', label);
        const container = { type: 'message' as const, channel, ts: card.ts };
        const action = { type: 'button' };
        return act({ do: 'interact', as, container, block_id, action_id, action, ...(state && { state }) });
      },
      pick(card: PlaygroundMessage, label: string) {
        const menu = control(card, 'static_select');
        const [selected_option] = optionsCalled(menu, [label]);
        const container = { type: 'message' as const, channel, ts: card.ts };
        const action = { type: 'static_select', selected_option: selected_option as never };
        const { block_id, action_id } = menu;
        return act({ do: 'interact', as: mara, container, block_id, action_id, action });
      },
      /** Opens the form that this button opens. */
      async form(card: PlaygroundMessage, label: string): Promise<PlaygroundView> {
        await this.press(card, label);
        const isOpen = (view: PlaygroundView) => view.user === mara && view.type === 'modal';
        return slack.wait((s) => s.views.find(isOpen), { what: 'a form', timeoutMs: PATIENCE });
      },
    };
  }

  return {
    slack,
    act,
    talk,
    /** Says this, whereupon the bot asks these. */
    ask: (says: string, questions: readonly Asked[], channel?: string) => {
      // The model may read a mention with a name beside it.
      errands.set(says.replace(/<[^>]*>\s*/g, ''), questions);
      return talk(says, channel);
    },
    submit: (view: PlaygroundView, state: StateValues) => act({ do: 'submit_view', as: mara, view: view.id, state }),
    async [Symbol.asyncDispose]() {
      await slack.close();
      await model.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** The model asks what a person's words stand for. */
function onErrands(script: Script, errands: ReadonlyMap<string, readonly Asked[]>): Script {
  return (request) => {
    const messages = request.messages.map((message) => {
      const said = message.role === 'user' ? JSON.stringify(message.content) : '';
      const [, questions] = [...errands].find(([says]) => said.includes(says)) ?? [];
      return questions ? { ...message, content: `ask ${JSON.stringify(questions)}` } : message;
    });
    return script({ ...request, messages });
  };
}

export const isCard = (message: PlaygroundMessage): boolean => hasButton(message, 'Skip');

/** What is entered in the first fields of a message or a form: labels that are picked, and words. */
export function entered(
  shown: { blocks?: Block[] } | PlaygroundView,
  { labels = [], words }: { labels?: string[]; words?: string },
): StateValues {
  const blocks = 'view' in shown ? (shown.view.blocks as Block[]) : (shown.blocks ?? []);
  const state: StateValues = {};
  if (labels.length > 0) {
    const types = ['checkboxes', 'multi_static_select', 'radio_buttons', 'static_select'];
    const type = types.find((one) =>
      blocks.some(({ element }) => (element as { type?: string } | undefined)?.type === one),
    );
    if (type === undefined) throw new Error('There is nothing to pick.');
    const choices = control({ blocks }, type);
    const picked = optionsCalled(choices, labels) as never[];
    const value =
      type === 'radio_buttons' || type === 'static_select'
        ? { selected_option: picked[0] as never }
        : { selected_options: picked };
    state[choices.block_id] = { [choices.action_id]: { type, ...value } };
  }
  if (words !== undefined) {
    const field = control({ blocks }, 'plain_text_input');
    state[field.block_id] = { [field.action_id]: { type: 'plain_text_input', value: words } };
  }
  return state;
}
