/** What must hold of each thread when all is quiet. */
import type { Message } from '../../src/agent/messages.ts';
import type { ThreadRecord } from '../../src/thread/thread.ts';
import { assertTranscript } from '../support/scripted-model.ts';
import type { PaperSlack } from '../thread/paper-slack.ts';
import type { Place } from './square.ts';

export type Found = { record: ThreadRecord | undefined; transcript: Message[] };

export function isAtRest(record: ThreadRecord | undefined): boolean {
  return record !== undefined && leftIn(record).length === 0;
}

function leftIn(record: ThreadRecord): string[] {
  const left = {
    [`a run that is ${record.run?.phase.name}`]: record.run,
    'a lease': record.lease,
    'a message': [...record.inbox, ...record.kept][0],
    'something unposted': record.posts[0],
    'a second message': record.strays[0],
    'a card to repaint': record.questions.find((q) => q.painted < q.version && q.sending.state === 'posted'),
  };
  return Object.entries(left).flatMap(([what, found]) => (found === undefined ? [] : `left over: ${what}`));
}

export function faultsOf(
  { thread, messages, accepted, mistakes }: Place,
  { record, transcript }: Found,
  slack: PaperSlack,
  effects: Map<string, number>,
): string[] {
  if (!record) return ['the thread is lost'];
  const faults = [...mistakes, ...leftIn(record)];
  try {
    assertTranscript(transcript);
  } catch (error) {
    faults.push((error as Error).message.split('\n')[0] ?? 'an invalid transcript');
  }
  const standing = slack.standing().filter((m) => m.thread === thread);
  // The third holder in a row that vanished ends the run with a sentence, which asks to be asked again.
  const failures = standing.filter((m) => m.post?.kind === 'failure');
  const gaveUp = failures.filter((m) => m.post?.kind === 'failure' && !m.post.retry).length;

  for (const { text } of messages) {
    // Said while the question in words was alone, it is its answer.
    const read = transcript.filter((m) => m.content === text || m.content.endsWith(`: ${text}`)).length;
    if (read > 1 || read + gaveUp === 0) faults.push(`"${text}" was read ${read} times`);
  }
  const calls = transcript
    .flatMap((m) => (m.role === 'assistant' ? m.toolCalls : []))
    .filter((c) => c.name === 'deploy');
  const told = transcript.filter((m) => m.role === 'tool' && m.content === 'done').length;
  const mine = [...effects].filter(([key]) => key.startsWith(`${thread} `));
  for (const [key, times] of mine) if (times > 1) faults.push(`an effect ran ${times} times: ${key}`);
  if (told > mine.length) faults.push(`${told} effects are told, ${mine.length} were done`);
  if (mine.length > calls.length) faults.push(`${mine.length} effects were done, ${calls.length} are known of`);

  const replies = standing.filter((m) => m.post?.kind === 'reply').length;
  const runs = transcript.filter((m) => m.role === 'assistant' && m.toolCalls.length === 0).length;
  if (replies > runs) faults.push(`${replies} replies of ${runs} runs`);
  if (replies + failures.length < runs)
    faults.push(`silent: ${runs} runs, ${replies} replies, ${failures.length} failures`);

  const times = new Map<string, number>();
  for (const { id } of standing) times.set(id, (times.get(id) ?? 0) + 1);
  for (const [id, count] of times) if (count > 1) faults.push(`${id} stands ${count} times in the thread`);
  for (const { id, card } of standing) {
    if (!card) continue;
    if (!card.shows.settled) faults.push('a card keeps its controls');
    const by = accepted.get(id);
    if (by !== undefined && card.shows.settled?.by !== by) faults.push('an answer that was accepted did not stand');
  }
  return [...new Set(faults)];
}
