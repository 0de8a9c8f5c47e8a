/** `npm run chat`: the agent at a terminal. What it needs of the environment are the model's settings and, if wanted, STORE_URL. */
import { parseArgs } from 'node:util';
import { Agent } from '../agent/agent.ts';
import { askUserTool } from '../agent/ask-user.ts';
import { releaseReason, UnknownRunError } from '../agent/errors.ts';
import type { RunStore } from '../agent/run-store.ts';
import { readModelConfig } from '../config.ts';
import { openaiModel } from '../openai/model.ts';
import { openStore } from '../storage/open.ts';
import { createRunStore } from '../storage/run-store.ts';
import { StoreError } from '../storage/store-error.ts';
import { converse } from './conversation.ts';
import { createTerminal } from './terminal.ts';

const usage = `Usage: npm run chat [-- --resume <run id>]

Talk to the agent in this terminal; it asks you what it needs to know. Ctrl-C or Ctrl-D leaves; an open question stays, and
--resume goes on with it.

OPENAI_API_KEY, OPENAI_BASE_URL and OPENAI_MODEL choose the model. STORE_URL says where runs are kept (default:
sqlite://./data/chat.sqlite).`;

const INTERRUPTED = 130;

process.exitCode = await main();

async function main(): Promise<number> {
  const args = readArgs();
  if ('problem' in args) return complain(`${args.problem}\n\n${usage}`);
  if (args.help) {
    console.log(usage);
    return 0;
  }
  const config = readModelConfig(process.env);
  if ('problem' in config)
    return complain(
      `${config.problem}\nTo see the agent without a model of your own, run \`npm run demo\`: it brings a scripted one.`,
    );

  const opened = await openStore(process.env.STORE_URL?.trim() || 'sqlite://./data/chat.sqlite').catch(
    (error: unknown) => {
      if (error instanceof StoreError) return error;
      throw error;
    },
  );
  if (opened instanceof StoreError) return complain(opened.message);

  const store = createRunStore(opened);
  const agent = new Agent({
    id: 'chat',
    name: 'Askback',
    instructions:
      'You are a helpful assistant at a terminal. Ask the person with ask_user wherever the decision is theirs or you would have to guess.',
    model: openaiModel(config),
    tools: { askUserTool },
    store,
  });

  const interrupt = new AbortController();
  const onInterrupt = () => {
    // The second Ctrl-C does not wait for anything.
    if (interrupt.signal.aborted) process.exit(INTERRUPTED);
    interrupt.abort(releaseReason);
    terminal.close();
  };
  const terminal = createTerminal({ input: process.stdin, output: process.stdout, onInterrupt });
  process.on('SIGINT', onInterrupt);

  try {
    // A resumed run goes on in its own thread, and so does what is said after it.
    const thread = args.resume === undefined ? undefined : (await store.load(args.resume))?.value.thread;
    terminal.write(`${config.model} - Ctrl-C leaves.\n`);
    const left = await converse({
      agent,
      terminal,
      thread: thread ?? crypto.randomUUID(),
      ...(args.resume !== undefined && { resume: args.resume }),
      signal: interrupt.signal,
    });
    terminal.write(await farewell(left.runId, store));
    return left.why === 'interrupted' ? INTERRUPTED : 0;
  } catch (error) {
    if (error instanceof UnknownRunError)
      return complain(`There is no run ${args.resume} in this store. It may be finished, or STORE_URL may be another.`);
    return complain(`The chat had to end: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    terminal.close();
    process.off('SIGINT', onInterrupt);
    await opened.close();
  }
}

/** A run that is left is saved as it is; one that could not be saved is not promised. */
async function farewell(runId: string | undefined, store: RunStore): Promise<string> {
  if (runId === undefined) return '\n';
  return (await store.load(runId))
    ? `\nThis is not finished. To go on: npm run chat -- --resume ${runId}\n`
    : '\nWhat you wrote last could not be saved: nothing of it is kept.\n';
}

function readArgs(): { help: boolean; resume?: string } | { problem: string } {
  try {
    const { values } = parseArgs({ options: { resume: { type: 'string' }, help: { type: 'boolean', short: 'h' } } });
    return { help: values.help === true, ...(values.resume !== undefined && { resume: values.resume }) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

function complain(problem: string): number {
  console.error(problem);
  return 1;
}
