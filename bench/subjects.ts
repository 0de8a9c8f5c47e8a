/** Who does the cycle: the real agent over the real store, with the transcript as the run's own or as its thread's, and the floor. */
import { DatabaseSync } from 'node:sqlite';
import { Agent } from '../src/agent/agent.ts';
import type { Message } from '../src/agent/messages.ts';
import { askUserTool } from '../src/agent/tools.ts';
import { openStore } from '../src/storage/open.ts';
import { createRunStore } from '../src/storage/run-store.ts';
import { answer, finalText, instantModel, question, transcript } from './job.ts';

export type Subject = {
  /** Untimed: what must be there before the run begins. */
  prepare(name: string): Promise<void>;
  /** Until the run is suspended and stored. */
  start(name: string): Promise<void>;
  /** From the store, with the answer, to the final text. */
  resume(name: string): Promise<string>;
  close(): Promise<void>;
};

export const subjects = { agent, 'agent-thread': agentInThread, floor };

/** The job as the peers do it: all 17 messages are in the run that is stored. */
async function agent(file: string): Promise<Subject> {
  return await overAgent(file, 'run');
}

/** As in Slack: what was said before is in the thread's transcript, and the run has what is new. */
async function agentInThread(file: string): Promise<Subject> {
  return await overAgent(file, 'thread');
}

async function overAgent(file: string, kept: 'run' | 'thread'): Promise<Subject> {
  const store = await openStore(`sqlite://${file}`);
  const runs = createRunStore(store);
  const bot = new Agent({
    id: 'bench',
    name: 'Bench',
    instructions: 'You are a deploy bot.',
    model: instantModel,
    tools: { askUserTool },
    store: runs,
  });
  const memory = (name: string) => (kept === 'thread' ? { memory: { thread: `thread ${name}` } } : {});
  const input = (name: string) => (kept === 'thread' ? transcript(name).slice(-1) : transcript(name));

  return {
    async prepare(name) {
      if (kept === 'run') return;
      const before = transcript(name).slice(0, -1);
      const messages = before.map(
        (content, index): Message =>
          index % 2 === 0 ? { role: 'user', content } : { role: 'assistant', content, toolCalls: [] },
      );
      await runs.append(`thread ${name}`, `before ${name}`, messages);
    },
    async start(name) {
      const messages = input(name).map((content) => ({ role: 'user' as const, content }));
      const { result } = await bot.stream(messages, { runId: name, ...memory(name) });
      const ended = await result;
      if (ended.status !== 'suspended') throw new Error(`The run is ${ended.status}, not suspended.`);
    },
    async resume(name) {
      const stream = await bot.resumeStream(answer, { runId: name });
      return await stream.text;
    },
    close: () => store.close(),
  };
}

/**
 * What no implementation goes under: the same record, serialised and put on disk as often as a crash at any point demands (the
 * question, the answer, the end), by bare `node:sqlite` with a full sync. No checks, no loop, no tools, no stream.
 */
async function floor(file: string): Promise<Subject> {
  const db = new DatabaseSync(file);
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  db.exec('CREATE TABLE records (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT');
  const create = db.prepare('INSERT INTO records VALUES (?, ?)');
  const read = db.prepare('SELECT value FROM records WHERE key = ?');
  const swap = db.prepare('UPDATE records SET value = ? WHERE key = ? AND value = ?');
  const replace = (name: string, previous: string, run: object): string => {
    const next = JSON.stringify(run);
    if (swap.run(next, name, previous).changes !== 1) throw new Error('Another was first.');
    return next;
  };

  return {
    async prepare() {},
    async start(name) {
      const messages = transcript(name).map((content) => ({ role: 'user', content }));
      create.run(name, JSON.stringify({ status: 'suspended', messages, question }));
    },
    async resume(name) {
      const raw = String(read.get(name)?.value);
      const run: { messages: object[] } = JSON.parse(raw);
      run.messages.push({ role: 'tool', content: answer });
      const answered = replace(name, raw, { ...run, status: 'running' });
      run.messages.push({ role: 'assistant', content: finalText });
      replace(name, answered, { ...run, status: 'finished' });
      return finalText;
    },
    async close() {
      db.close();
    },
  };
}
