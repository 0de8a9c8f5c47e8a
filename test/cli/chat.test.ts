import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createDemoScript } from '../../src/playground/demo-script.ts';
import { type Reply, startModelServer } from '../../src/playground/model-server.ts';

/** A model server, and a folder for the store: each test has its own, so that they wait at the same time. */
async function startHouse() {
  const demo = createDemoScript();
  const server = await startModelServer({
    script: async (request) => {
      const reply = await demo(request);
      return reply.type === 'answer' ? { ...reply, think: 0, pace: 0 } : reply;
    },
  });
  const folder = mkdtempSync(join(tmpdir(), 'askback-chat-'));
  const children: ChildProcessWithoutNullStreams[] = [];

  /** The chat as a person meets it: a process, its output, its input. */
  function chat(args: string[] = [], env: Record<string, string> = {}) {
    // As `npm run chat` does, without npm between.
    const child = spawn(process.execPath, ['--import', './src/require-node24.js', 'src/cli/chat.ts', ...args], {
      cwd: join(import.meta.dirname, '../..'),
      env: {
        PATH: process.env.PATH,
        OPENAI_BASE_URL: server.url,
        OPENAI_MODEL: 'scripted-demo',
        STORE_URL: `sqlite://${join(folder, 'chat.sqlite')}`,
        ...env,
      },
    });
    children.push(child);
    let seen = '';
    let read = 0;
    const changed = new Set<() => void>();
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        seen += text;
        for (const look of changed) look();
      });
    const exit = new Promise<number | null>((resolve) => child.on('close', resolve));

    return {
      say: (line: string) => child.stdin.write(`${line}\n`),
      end: () => child.stdin.end(),
      kill: (signal: NodeJS.Signals) => child.kill(signal),
      exit,
      all: () => seen,
      /** What is printed up to and with `text`, since the last wait. */
      async until(text: string): Promise<string> {
        await new Promise<void>((resolve, reject) => {
          const timer = setTimeout(
            () => reject(new Error(`"${text}" was not printed within 60 s; printed:\n${seen}`)),
            60_000,
          );
          const look = () => {
            if (seen.indexOf(text, read) < 0) return;
            clearTimeout(timer);
            changed.delete(look);
            resolve();
          };
          changed.add(look);
          look();
        });
        const from = read;
        read = seen.indexOf(text, from) + text.length;
        return seen.slice(from, read);
      },
    };
  }

  return {
    server,
    chat,
    async [Symbol.asyncDispose]() {
      for (const child of children) child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
      await server.close();
    },
  };
}

const resumeHint = /--resume (\S+)/;

test.concurrent('a whole story: each kind of question, wrong input explained, and a reply that repeats the answers', async () => {
  await using house = await startHouse();
  const person = house.chat();
  await person.until('you> ');
  person.say('deploy the shop service');
  expect(await person.until('answer> ')).toContain('2) Canary - One customer in twenty');
  person.say('9');
  expect(await person.until('answer> ')).toContain('There is no option 9.');
  person.say('canary');
  await person.until('Which checks should pass first?');
  await person.until('answer> ');
  person.say('1,3');
  await person.until('When should it start?');
  person.say('after lunch');
  await person.until('Who should hear of it');
  person.say('s');
  await person.until('What should the release note say?');
  person.say('Faster | safer');
  const reply = await person.until('nothing was deployed');
  expect(reply).toContain('# shop to Canary');
  expect(reply).toContain('| Which checks should pass first? | Unit tests, Load test |');
  expect(reply).toContain('| When should it start? | “after lunch” |');
  expect(reply).toContain('| Who should hear of it when it is done? | skipped |');
  expect(reply).toContain('Faster / safer');
  await person.until('you> ');
  person.end();
  expect(await person.exit).toBe(0);
  expect(person.all()).not.toMatch(resumeHint);
  // The model read the very words of the answers.
  const results = house.server.requests
    .at(-1)
    ?.messages.filter(({ role }) => role === 'tool')
    .map(({ content }) => content);
  expect(results).toEqual([
    'User selected: Canary',
    'User selected: ["Unit tests","Load test"]',
    'User responded: after lunch',
    'User dismissed the question without answering.',
    'User responded: Faster | safer',
  ]);
});

test.concurrent.for([
  { how: 'Ctrl-C', leave: 'SIGINT' as const, code: 130 },
  { how: 'the end of the input', leave: undefined, code: 0 },
])('$how in front of an open question leaves it open, and another process answers it', async ({ leave, code }) => {
  await using house = await startHouse();
  const first = house.chat();
  first.say('menu');
  await first.until('answer> ');
  if (leave) first.kill(leave);
  else first.end();
  expect(await first.exit).toBe(code);
  const runId = resumeHint.exec(first.all())?.[1] ?? 'none';

  const second = house.chat(['--resume', runId]);
  expect(await second.until('answer> ')).toContain('12) ap-northeast');
  second.say('3');
  await second.until('You said: eu-central.');
  // The thread is the same one: what is said next comes after all of it.
  second.say('thanks');
  await second.until('You are welcome.');
  expect(
    house.server.requests
      .at(-1)
      ?.messages.filter(({ role }) => role === 'user')
      .map(({ content }) => content),
  ).toEqual(['menu', 'thanks']);
  second.end();
  expect(await second.exit).toBe(0);
});

test.concurrent('kill -9 in front of an open question loses nothing that was answered', async () => {
  await using house = await startHouse();
  const first = house.chat();
  first.say('two');
  await first.until('Coffee');
  first.say('1');
  await first.until('And which cakes?');
  await first.until('answer> ');
  first.kill('SIGKILL');
  await first.exit;
  const runId = /run (\S+)\)/.exec(first.all())?.[1] ?? 'none';
  const second = house.chat(['--resume', runId]);
  const asked = await second.until('answer> ');
  expect(asked).toContain('And which cakes?');
  expect(asked).not.toContain('Coffee');
  second.say('1,2');
  const reply = await second.until('to go on.');
  expect(reply).toContain('You said: Coffee.');
  expect(reply).toContain('You said: Apple, Carrot.');
});

/** A model that begins to speak and never ends. */
const stuck: Reply = {
  type: 'raw',
  parts: ['data: {"choices":[{"delta":{"content":"Let me thi"}}]}\n\n', 'hang'],
};

test.concurrent('Ctrl-C while the model answers stops at once, and the run can be resumed with the answer that was given', async () => {
  await using house = await startHouse();
  const first = house.chat();
  first.say('free');
  await first.until('answer> ');
  house.server.setScript(() => stuck);
  first.say('the coffee machine bites');
  await first.until('Let me thi');
  const began = performance.now();
  first.kill('SIGINT');
  expect(await first.exit).toBe(130);
  // The model would keep it for a minute and more.
  expect(performance.now() - began).toBeLessThan(10_000);

  house.server.setScript(() => ({ type: 'answer', text: 'Here I am.' }));
  const second = house.chat(['--resume', resumeHint.exec(first.all())?.[1] ?? 'none']);
  await second.until('Here I am.');
  expect(house.server.requests.at(-1)?.messages.at(-1)?.content).toBe('User responded: the coffee machine bites');
});

test.concurrent('Ctrl-C within the first model call keeps what was written, and the run can be resumed', async () => {
  await using house = await startHouse();
  house.server.setScript(() => stuck);
  const first = house.chat();
  first.say('hello');
  await first.until('Let me thi');
  first.kill('SIGINT');
  expect(await first.exit).toBe(130);

  house.server.setScript(() => ({ type: 'answer', text: 'Here I am.' }));
  const second = house.chat(['--resume', resumeHint.exec(first.all())?.[1] ?? 'none']);
  await second.until('Here I am.');
  expect(house.server.requests.at(-1)?.messages.at(-1)).toMatchObject({ role: 'user', content: 'hello' });
});

test.concurrent('Ctrl-C at the prompt just leaves; what a model wrote does not steer the terminal', async () => {
  await using house = await startHouse();
  house.server.setScript(() => ({ type: 'answer', text: 'safe\u001b[2Jand\u0007 sound\u202e' }));
  const person = house.chat();
  person.say('hello');
  await person.until('sound');
  await person.until('you> ');
  person.kill('SIGINT');
  expect(await person.exit).toBe(130);
  expect(person.all()).not.toMatch(resumeHint);
  expect(person.all()).toContain('safe[2Jand sound\n');
});

test.concurrent('a failure of the model is a sentence: Enter tries the same run again, something else takes its place', async () => {
  await using house = await startHouse();
  const person = house.chat();
  person.say('fail');
  expect(await person.until('Press Enter to try again')).toMatch(/! The model has a problem of its own/);
  person.say('');
  await person.until('That worked, at the second attempt.');
  person.say('fail');
  await person.until('Press Enter to try again');
  person.say('choice');
  await person.until('How should the report be sent?');
  person.say('short');
  await person.until('You said: Short.');
  person.end();
  expect(await person.exit).toBe(0);
});

test.concurrent.for([
  { what: 'no model', args: [], env: { OPENAI_BASE_URL: '' }, says: /OPENAI_API_KEY is missing[\s\S]*npm run demo/ },
  {
    what: 'an unknown option',
    args: ['--colour'],
    env: {},
    says: /Unknown option '--colour'[\s\S]*Usage: npm run chat/,
  },
  { what: 'a run that does not exist', args: ['--resume', 'nobody'], env: {}, says: /There is no run nobody/ },
  {
    what: 'a store that cannot be opened',
    args: [],
    env: { STORE_URL: 'mysql://x' },
    says: /STORE_URL begins with mysql/,
  },
])('$what: told in plain words, with code 1', async ({ args, env, says }) => {
  await using house = await startHouse();
  const person = house.chat(args, env);
  expect(await person.exit).toBe(1);
  expect(person.all()).toMatch(says);
  expect(person.all()).not.toMatch(/\n\s+at /);
});
