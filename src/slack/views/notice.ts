/** What is said besides cards: replies, failures, reminders, and words for one person only. */
import type { KnownBlock } from '@slack/types';
import type { NotAllowed, Post, ThreadId, Whisper } from '../../thread/ports.ts';
import { oneLine } from '../cut.ts';
import { encodeAction, encodeBlock } from '../ids.ts';
import { LIMITS } from '../limits.ts';
import { EMPTY_REPLY, fallbackText, harmless, literalWithin, mention } from '../text.ts';
import { plainText } from './parts.ts';
import { givenIn, outcomeLine } from './receipt.ts';

/** A sentence of a failure, a question in a reminder: what is longer tells a person no more. */
const SENTENCE = 2_000;
/** What is quoted to somebody who came too late. */
const GLIMPSE = 300;

/** A post as a message; `text` alone says it all too. A reply is one piece of `splitReply`. */
export function postMessage({ body }: Post, thread: ThreadId): { text: string; blocks?: KnownBlock[] } {
  switch (body.kind) {
    case 'reply': {
      const markdown = body.text.trim() === '' ? EMPTY_REPLY : body.text;
      const blocks: KnownBlock[] = [{ type: 'markdown', text: harmless(markdown) }];
      return { text: fallbackText(markdown, LIMITS.message.text), blocks };
    }
    case 'failure': {
      const text = `⚠️ ${literalWithin(body.message.trim() || 'Something went wrong.', SENTENCE)}`;
      const section: KnownBlock = { type: 'section', text: { type: 'mrkdwn', text } };
      if (body.retry === undefined) return { text, blocks: [section] };
      return { text, blocks: [section, retryButton(thread, body.retry.runId)] };
    }
    case 'stopped':
      return { text: body.by === undefined ? '🛑 Stopped.' : `🛑 Stopped by ${mention(body.by)}.` };
    case 'reminder': {
      const question = literalWithin(oneLine(body.question), GLIMPSE);
      return { text: `⏰ ${mention(body.who)}, a question still waits for you here: ${question}` };
    }
  }
}

/** A whisper as mrkdwn: what happened, and what the person can do. */
export function whisperText(whisper: Whisper): string {
  switch (whisper.kind) {
    case 'kept_for_later': {
      const what = whisper.open === 1 ? 'a question is' : `${whisper.open} questions are`;
      const whom = whisper.requester === undefined ? '' : ` (${mention(whisper.requester)} is asked)`;
      return `Noted. I read your message as soon as I go on: ${what} still open above${whom}.`;
    }
    case 'not_allowed':
      return refusal(whisper.reason, whisper.requester);
    case 'invalid':
      return literalWithin(whisper.problem, SENTENCE);
    case 'already_settled': {
      const { labels, words } = givenIn(whisper.settlement);
      const given = oneLine([...labels, words].filter((part) => part.trim() !== '').join(', '));
      const ending = outcomeLine(whisper.settlement, whisper.by);
      return `That question is settled already. ${ending}${given === '' ? '.' : `: ${literalWithin(given, GLIMPSE)}`}`;
    }
    case 'not_saved':
      return 'I could not save that in time. Please try again in a moment; if it went through after all, the card shows it.';
    case 'unknown_question':
      return 'I do not know that question (any more), so nothing was changed. Mention me to start again.';
    case 'nothing_to_stop':
      return 'Nothing is running here, so there is nothing to stop.';
  }
}

function refusal(reason: NotAllowed, requester: string | undefined): string {
  // In parentheses, so that a modal's error, which cannot draw a mention, can leave it out.
  const whom = requester === undefined ? '' : ` (${mention(requester)})`;
  switch (reason) {
    case 'not_requester':
      return `Only the person who started this${whom} may do that. Nothing was changed.`;
    case 'not_participant':
      return 'Only people who wrote in this thread may do that. Nothing was changed.';
    case 'guest':
      return 'Guests of this workspace may not use me here. Nothing was changed.';
    case 'external':
      return 'People of other organisations may not use me here. Nothing was changed.';
    case 'unknown_person':
      return 'Slack could not tell me who you are, so I changed nothing. Please try again in a moment.';
    case 'user_not_listed':
      return 'You are not among the people who may use me. Nothing was changed; ask whoever runs me.';
    case 'channel_not_listed':
      return 'I may not work in this channel. Nothing was changed; ask whoever runs me.';
  }
}

function retryButton(thread: ThreadId, runId: string): KnownBlock {
  const action_id = encodeAction({ kind: 'retry' });
  const block_id = encodeBlock({ kind: 'run', thread, runId });
  const accessibility_label = 'Retry: go on from where this stopped';
  return {
    type: 'actions',
    block_id,
    elements: [{ type: 'button', action_id, text: plainText('Retry'), accessibility_label }],
  };
}
