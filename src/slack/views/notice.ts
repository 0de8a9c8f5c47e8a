/** What is said besides cards: replies, failures, reminders, help, and words for one person only. */
import type { KnownBlock } from '@slack/types';
import type { AnswerProblem } from '../../agent/answer-problem.ts';
import type { Post, ThreadId, Whisper } from '../../thread/ports.ts';
import { oneLine } from '../cut.ts';
import { encodeAction, encodeBlock, type FEEDBACK } from '../ids.ts';
import { LIMITS } from '../limits.ts';
import { fallbackText, harmless, literalWithin, mention } from '../text.ts';
import type { FailureCode, Words } from '../words/words.ts';
import { button, note, plainText, quoted } from './parts.ts';
import { givenIn, outcomeLine } from './receipt.ts';

/** A sentence of a failure: what is longer tells a person no more. */
const SENTENCE = 2_000;
/** What is quoted of a question or an answer. */
const GLIMPSE = 300;

export type Notice = { text: string; blocks?: KnownBlock[] };

/** A post as a message; `text` alone says it all too. A reply is one piece of `splitReply`. */
export function postMessage({ body }: Post, thread: ThreadId, words: Words): Notice {
  switch (body.kind) {
    case 'reply': {
      const markdown = body.text.trim() === '' ? words.post.emptyReply : body.text;
      const said: KnownBlock = { type: 'markdown', text: harmless(markdown) };
      const blocks = body.feedback ? [said, ...feedbackBlocks(thread, body.feedback.runId, words)] : [said];
      return { text: fallbackText(markdown, LIMITS.message.text), blocks };
    }
    case 'failure': {
      const text = `⚠️ ${literalWithin(failureSentence(body, words), SENTENCE)}`;
      if (body.retried)
        return { text: `${text}\n${words.post.retried}`, blocks: [section(text), note(words.post.retried)] };
      if (body.retry === undefined) return { text, blocks: [section(text)] };
      return { text, blocks: [section(text), retryButton(thread, body.retry.runId, words)] };
    }
    case 'stopped':
      return { text: `🛑 ${words.post.stopped(body.by === undefined ? undefined : mention(body.by))}` };
    case 'reminder': {
      const question = literalWithin(oneLine(body.question), GLIMPSE);
      const who = words.list([body.who, ...(body.others ?? [])].map(mention));
      return { text: `⏰ ${words.post.reminder(who, question)}` };
    }
    case 'asked': {
      const asked = `💬 ${words.post.asked(mention(body.who))}`;
      return { text: `${asked} ${literalWithin(body.text, SENTENCE)}`, blocks: [section(asked), quoted(body.text)] };
    }
    case 'help': {
      const text = [mention(body.who), ...words.post.help.map((line) => `• ${line}`)].join('\n');
      return { text, blocks: [section(text)] };
    }
  }
}

/** A whisper as mrkdwn: what happened, and what the person can do. */
export function whisperText(whisper: Whisper, words: Words): string {
  const said = words.whisper;
  switch (whisper.kind) {
    case 'kept_for_later':
      return said.keptForLater(whisper.open, whisper.asked && words.list(whisper.asked.map(mention)));
    case 'not_allowed': {
      const { reason, requester, asked = [] } = whisper;
      if (reason === 'not_requester') return words.refusals.not_requester(requester && mention(requester));
      if (reason === 'not_asked') {
        return words.refusals.not_asked(asked.length > 0 ? words.list(asked.map(mention)) : undefined);
      }
      return words.refusals[reason];
    }
    case 'invalid':
      return problemSentence(whisper.problem, words);
    case 'already_settled': {
      const { labels, text } = givenIn(whisper.settlement);
      const given = words.list([...labels, text].map(oneLine).filter((part) => part !== ''));
      const ending = outcomeLine(whisper.settlement, whisper.by, words);
      return said.alreadySettled(given === '' ? ending : ending + words.colon + literalWithin(given, GLIMPSE));
    }
    case 'several_wait':
      return said.severalWait;
    case 'not_saved':
      return said.notSaved;
    case 'unreadable':
      return said.unreadable;
    case 'unknown_question':
      return said.unknownQuestion;
    case 'nothing_to_stop':
      return said.nothingToStop;
    case 'nothing_to_retry':
      return said.nothingToRetry;
    case 'feedback_noted':
      return said.feedbackNoted[whisper.is];
    case 'feedback_unknown':
      return said.feedbackUnknown;
    case 'not_arrived':
      return said.notArrived;
    case 'form_late':
      return said.formLate;
    case 'form_refused':
      return said.formRefused;
  }
}

/** A failure that we know is said in the reader's language; any other in the words of whoever told it. */
function failureSentence({ message, code }: Extract<Post['body'], { kind: 'failure' }>, { failures }: Words): string {
  if (failures !== 'as_written' && isKnown(code, failures)) return failures[code];
  if (message.trim() !== '') return message;
  return failures === 'as_written' ? 'Something went wrong.' : failures.internal;
}

function isKnown(code: string | undefined, failures: Readonly<Record<FailureCode, string>>): code is FailureCode {
  return code !== undefined && Object.hasOwn(failures, code);
}

function problemSentence(problem: AnswerProblem, { problems, list, number }: Words): string {
  switch (problem.kind) {
    case 'nothing_picked':
      return problems.nothing_picked(problem.several);
    case 'ambiguous':
      return problems.ambiguous(literalWithin(oneLine(problem.text), GLIMPSE));
    case 'not_options':
      return problems.not_options(literalWithin(list(problem.texts.map(oneLine)), GLIMPSE));
    case 'too_long':
      return problems.too_long(number(problem.max));
    default:
      return problems[problem.kind];
  }
}

function section(text: string): KnownBlock {
  return { type: 'section', text: { type: 'mrkdwn', text } };
}

/** Thumbs under a reply, for what people think of it. */
export function feedbackBlocks(thread: ThreadId, runId: string, { post }: Words): KnownBlock[] {
  const thumb = (is: (typeof FEEDBACK)[number]) => {
    const { text, label } = post.feedback[is];
    return { text: plainText(text), value: is, accessibility_label: label };
  };
  const element = {
    type: 'feedback_buttons' as const,
    action_id: encodeAction({ kind: 'feedback' }),
    positive_button: thumb('good'),
    negative_button: thumb('bad'),
  };
  return [{ type: 'context_actions', block_id: encodeBlock({ kind: 'run', thread, runId }), elements: [element] }];
}

function retryButton(thread: ThreadId, runId: string, { post }: Words): KnownBlock {
  const block_id = encodeBlock({ kind: 'run', thread, runId });
  return { type: 'actions', block_id, elements: [button({ kind: 'retry' }, post.retry)] };
}
