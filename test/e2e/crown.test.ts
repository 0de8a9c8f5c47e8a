/** The crown test: mention, card, kill -9, a new process, click, reply; over real Bolt in both modes. */
import { expect, test } from 'vitest';
import type { Script } from '../../src/playground/model-server.ts';
import { bot, hasButton, mara, startWorld, textOf, tomas } from './world.ts';

const script: Script = (request) => {
  const answer = request.messages.findLast((m) => m.role === 'tool');
  return answer
    ? { type: 'answer', text: `Deploying: ${answer.content}` }
    : {
        type: 'answer',
        text: 'Let me ask.',
        calls: [
          {
            id: 'call_1',
            name: 'ask_user',
            arguments: { question: 'Where to?', options: [{ label: 'staging' }, { label: 'production' }] },
          },
        ],
      };
};

test.for(['socket', 'http'] as const)('%s mode: a question outlives the process that asked it', async (mode) => {
  await using world = await startWorld({ script, mode });
  const thread = await world.say(`<@${bot}> deploy billing`);
  const card = await world.sees(thread, 'the card', (m) => hasButton(m, 'staging'));

  await world.kill();
  await world.start();

  const refused = await world.click(card, 'production', tomas);
  expect(refused.ok).toBe(true);
  await world.slack.wait((s) => s.messages.find((m) => m.ephemeralTo === tomas), {
    what: 'a note to the other person',
  });
  expect((await world.click(card, 'staging', mara)).ok).toBe(true);

  const reply = await world.sees(thread, 'the reply', (m) => textOf(m).includes('Deploying: User selected: staging'));
  expect(reply.thread_ts).toBe(thread);
  const settled = await world.sees(thread, 'the receipt', (m) => m.ts === card.ts && !hasButton(m, 'staging'));
  expect(textOf(settled)).toContain('staging');
  expect(world.posts(thread).filter((m) => textOf(m).includes('Deploying'))).toHaveLength(1);
  expect(world.slack.state().traffic.filter((line) => line.warning)).toEqual([]);
});
