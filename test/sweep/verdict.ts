/** What must hold of a thread when its chapter is over, however often the bot died in it. */
import type { Message } from '../../src/agent/messages.ts';
import type { PlaygroundMessage } from '../../src/playground/protocol.ts';
import { invitationsOf, openQuestions, type ThreadRecord } from '../../src/thread/thread.ts';
import { isStale } from '../../src/thread/work.ts';
import { assertTranscript } from '../support/scripted-model.ts';
import type { Chapter } from './chapters.ts';
import { hasButton, textOf } from './shown.ts';

export type Evidence = {
  record: ThreadRecord | undefined;
  transcript: Message[];
  /** Runs that are still in the store. */
  runs: string[];
  /** The bot's messages in the thread. */
  posts: PlaygroundMessage[];
  /** The bot's direct messages to the colleague. */
  told: PlaygroundMessage[];
  /** What was done to the world, by `tool/runId/toolCallId`. */
  effects: string[];
  /** What the playground was loud about. */
  warnings: string[];
};

/**
 * A kill is seen by the playground as an ack that did not come, or that came for what has gone to the next process; and by the
 * refusal of an edit the next process learns that the dead one had left a stream open. A form that opens too late is asked for again.
 */
const FORESEEN = /\back|streaming_state_conflict|trigger_id/i;

export function faultsOf(chapter: Chapter, said: string[], evidence: Evidence): string[] {
  return [
    ...stuck(evidence),
    ...wrongThread(chapter, evidence.posts),
    ...wrongThumbs(chapter, evidence.record),
    ...wrongMessages(chapter, evidence.told),
    ...wrongTranscript(chapter, said, evidence.transcript),
    ...wrongEffects(evidence),
    ...evidence.warnings.filter((warning) => !FORESEEN.test(warning)),
  ];
}

function stuck({ record, runs }: Evidence): string[] {
  if (!record) return ['the thread is not in the store'];
  const left = {
    'a lease': record.lease,
    'a run': record.run,
    'an open question': openQuestions(record)[0],
    'a message in the inbox': record.inbox[0],
    'a message kept for later': record.kept[0],
    'a message beside': record.context[0],
    'something unposted': record.posts[0],
    'a second message': record.strays[0],
    'a card to repaint': record.questions.find((q) => q.painted < q.version),
    'a card whose place is not known': record.questions.find((q) => q.sending.state !== 'posted'),
    'an invitation that is stale': record.questions.find(isStale),
    'an invitation whose place is not known': record.questions
      .flatMap(invitationsOf)
      .find(({ sending }) => sending.state !== 'posted'),
    'a run in the store': runs[0],
  };
  return Object.entries(left).flatMap(([what, found]) => (found === undefined ? [] : `left over: ${what}`));
}

function wrongThread(chapter: Chapter, posts: PlaygroundMessage[]): string[] {
  const faults: string[] = [];
  const others = new Set(posts);
  for (const [question, outcome] of Object.entries(chapter.cards)) {
    const cards = posts.filter((m) => textOf(m).includes(question));
    for (const card of cards) {
      others.delete(card);
      if (['Skip', 'Change…'].some((label) => hasButton(card, label)))
        faults.push(`the card "${question}" still has its controls`);
      else if (!outcome.test(textOf(card)))
        faults.push(`the card "${question}" shows another outcome: ${textOf(card)}`);
    }
    if (cards.length !== 1) faults.push(`the question "${question}" has ${cards.length} cards`);
  }
  const replies = posts.filter((m) => textOf(m).includes(chapter.reply));
  for (const reply of replies) others.delete(reply);
  if (replies.length !== 1) faults.push(`${replies.length} replies`);
  for (const what of chapter.also ?? []) {
    const found = posts.filter((m) => what.test(textOf(m)));
    for (const m of found) others.delete(m);
    if (found.length !== 1) faults.push(`${found.length} messages of ${what}`);
    if (found.some((m) => hasButton(m, 'Retry'))) faults.push('a Retry that is used is still there');
  }
  // What was done is left in sight, when nothing was said beside it.
  const isProgress = (m: PlaygroundMessage) => m.text === '' && (m.tasks?.length ?? 0) > 0;
  for (const m of posts) if (m.streaming) faults.push('a message is still growing');
  for (const m of others) if (!isProgress(m)) faults.push(`a message that nobody expects: ${m.text.slice(0, 200)}`);
  return faults;
}

/** Each person's last word, once. */
function wrongThumbs({ thumbs = {} }: Chapter, record: ThreadRecord | undefined): string[] {
  const list = (entries: [string, string][]) =>
    entries
      .map((entry) => entry.join(' '))
      .toSorted()
      .join(', ');
  const due = list(Object.entries(thumbs));
  const kept = list((record?.feedback ?? []).map(({ by, is }) => [by, is]));
  return kept === due ? [] : [`thumbs: "${kept}", not "${due}"`];
}

/** One to each of whom something is asked, and none is left saying that it waits. */
function wrongMessages({ told = {} }: Chapter, messages: PlaygroundMessage[]): string[] {
  const faults = Object.entries(told).flatMap(([question, outcome]) => {
    const about = messages.filter((m) => textOf(m).includes(question));
    const wrong = about.filter((m) => hasButton(m, 'Answer…') || !outcome.test(textOf(m)));
    return [
      ...(about.length === 1 ? [] : [`${about.length} direct messages about "${question}"`]),
      ...wrong.map((m) => `a direct message shows another outcome: ${textOf(m)}`),
    ];
  });
  const expected = Object.keys(told).length;
  return messages.length > expected ? [...faults, `${messages.length} direct messages`] : faults;
}

function wrongTranscript(chapter: Chapter, said: string[], transcript: Message[]): string[] {
  const faults: string[] = [];
  try {
    assertTranscript(transcript);
  } catch (error) {
    faults.push((error as Error).message.split('\n')[0] ?? 'an invalid transcript');
  }
  // What time it is when answers come late, nobody said.
  const isTime = (content: string) => /^\[It is [^\n]*\]$/.test(content);
  const words = transcript.flatMap((m) => (m.role === 'user' && !isTime(m.content) ? [m.content] : []));
  const isBriefing = (content: string) => content.startsWith('[Said in this thread before');
  const briefings = words.filter(isBriefing);
  const briefed = briefings.length === 1 && briefings[0]?.split(chapter.opening ?? '').length === 2;
  if (chapter.opening === undefined ? briefings.length > 0 : !briefed)
    faults.push(`briefed ${briefings.length} times: ${briefings.join(' / ')}`);
  const read = words.filter((content) => !isBriefing(content));
  for (const text of new Set(said)) {
    const times = read.filter((content) => content.includes(text)).length;
    const due = said.filter((other) => other === text).length;
    if (times !== due) faults.push(`the message "${text}" was read ${times} times, not ${due}`);
  }
  if (read.length !== said.length) faults.push(`${read.length} messages were read, not ${said.length}`);
  const results = resultsOf(transcript);
  const isAsExpected = (result: string | undefined, expected: string | RegExp) =>
    typeof expected === 'string' ? result === expected : expected.test(result ?? '');
  if (results.length !== chapter.results.length) faults.push(`${results.length} results of calls`);
  for (const [index, expected] of chapter.results.entries()) {
    if (!isAsExpected(results[index]?.content, expected))
      faults.push(`result ${index + 1} is "${results[index]?.content}", not ${expected}`);
  }
  const replies = transcript.filter((m) => m.role === 'assistant' && m.toolCalls.length === 0);
  if (replies.length !== 1) faults.push(`${replies.length} replies in the transcript`);
  return faults;
}

/** A side effect ran once; or at most once, and the model was told that nobody knows. */
function wrongEffects({ transcript, effects }: Evidence): string[] {
  const faults: string[] = [];
  const accounted = new Set<string>();
  for (const { id, name, content } of resultsOf(transcript)) {
    const done = effects.filter((key) => key.startsWith(`${name}/`) && key.endsWith(`/${id}`));
    for (const key of done) accounted.add(key);
    if (done.length > 1) faults.push(`${name} ran ${done.length} times`);
    if (content === `${name}: done` && done.length === 0) faults.push(`${name} is said to be done and was not`);
    if (content.startsWith('Not executed') && done.length > 0) faults.push(`${name} is said not to be done and was`);
  }
  for (const key of effects) if (!accounted.has(key)) faults.push(`an effect that no transcript knows: ${key}`);
  return faults;
}

type Result = { id: string; name: string; content: string };

/** In the order of the calls. */
function resultsOf(transcript: Message[]): Result[] {
  const results = new Map(transcript.flatMap((m) => (m.role === 'tool' ? [[m.toolCallId, m.content] as const] : [])));
  return transcript.flatMap((m) =>
    m.role === 'assistant' ? m.toolCalls.map(({ id, name }) => ({ id, name, content: results.get(id) ?? '' })) : [],
  );
}
