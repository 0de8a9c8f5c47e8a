/**
 * The shortcut "Ask about this message": a form, and then a run in the thread of that message, as if the person had mentioned us
 * there. What is asked is saved before the form's ack; sent twice it is one message, since its id is the shortcut's own.
 */
import type { ViewResponseAction } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { Dispatcher, Received } from '../../thread/dispatcher-api.ts';
import type { Clock } from '../../thread/ports.ts';
import { quoteLines } from '../../thread/telling.ts';
import type { Directory } from '../directory.ts';
import { slackId, slackTs } from '../fields.ts';
import type { Identity } from '../identity.ts';
import { ABOUT_FIELD, ABOUT_FORM, ABOUT_SHORTCUT, type About, decodeAbout, threadId, threadParts } from '../ids.ts';
import type { InFlight } from '../in-flight.ts';
import { assertModal } from '../limits.ts';
import type { Log } from '../log.ts';
import { fileSchema, wordsOf } from '../message.ts';
import { mention } from '../text.ts';
import { aboutForm, notThereModal } from '../views/about.ts';
import { fieldError } from '../views/modal.ts';
import { whisperText } from '../views/notice.ts';
import { failureOf, isUnreachable } from '../web-api-error.ts';
import { within } from '../within.ts';
import { wordsIn } from '../words/catalogue.ts';
import type { Words } from '../words/words.ts';
import { alwaysAcked } from './acked.ts';
import type { InteractionBody } from './clicked-in.ts';

/** ms to find out whether we are there; the rest of the trigger's life is for the way to Slack and back. */
const LOOKED_WITHIN = 1_200;
/** ms of the three seconds that Slack waits for an ack. */
const SAVED_WITHIN = 2_000;

const shortcutSchema = z.object({
  callback_id: z.literal(ABOUT_SHORTCUT),
  trigger_id: z.string().min(1),
  action_ts: slackTs,
  channel: z.object({ id: slackId }),
  message: z.object({
    ts: slackTs,
    thread_ts: slackTs.optional(),
    user: slackId.optional().catch(undefined),
    text: z.string().catch(''),
    files: z.array(fileSchema).catch([]),
  }),
});
const submissionSchema = z.object({
  view: z.object({
    callback_id: z.literal(ABOUT_FORM),
    private_metadata: z.string(),
    state: z.object({ values: z.record(z.string(), z.record(z.string(), z.object({ value: z.string().nullish() }))) }),
  }),
});

export type AboutParts = {
  client: Pick<WebClient, 'conversations' | 'views'>;
  dispatcher: Pick<Dispatcher, 'receive'>;
  directory: Pick<Directory, 'language' | 'person'>;
  identity: Identity;
  inFlight: InFlight;
  clock: Clock;
  log: Log;
};

export type AboutListeners = {
  /** Both never reject, and always ack. */
  shortcut(body: InteractionBody, ack: () => Promise<void>): Promise<void>;
  submission(body: InteractionBody, ack: (response?: ViewResponseAction) => Promise<void>): Promise<void>;
};

/** The form that this submission is of is ours. */
export function isAboutForm(body: unknown): boolean {
  return submissionSchema.safeParse(body).success;
}

export function createAboutListeners(parts: AboutParts): AboutListeners {
  const { client, dispatcher, directory, identity, inFlight, clock, log } = parts;

  /** false only when Slack says so: a thread that we cannot read is one in which we cannot answer. */
  async function isThere({ thread }: About): Promise<boolean> {
    const { channel, threadTs } = threadParts(thread);
    const reading = client.conversations.replies({ channel, ts: threadTs, limit: 1 }).then(
      () => true,
      (error: unknown) => !isUnreachable(error),
    );
    return (await within(clock, LOOKED_WITHIN, reading, () => {})) !== false;
  }

  async function open(body: InteractionBody): Promise<void> {
    const { data } = shortcutSchema.safeParse(body);
    if (data === undefined) return log.warn({}, 'a shortcut that is not ours, or not readable');
    const { channel, message, action_ts, trigger_id } = data;
    const about: About = {
      thread: threadId(identity.team, channel.id, message.thread_ts ?? message.ts),
      id: action_ts,
      ...(message.user !== undefined && { by: message.user }),
      text: wordsOf(message.text, message.files, identity.botUser),
    };
    try {
      const [there, language] = await Promise.all([isThere(about), directory.language(body.user.id)]);
      const words = wordsIn(language);
      const view: ModalView = there ? aboutForm(about, words) : notThereModal(mention(identity.botUser), words);
      assertModal(view);
      await client.views.open({ trigger_id, view });
    } catch (error) {
      log.warn({ thread: about.thread, reason: failureOf(error).reason }, 'a modal was not opened');
    }
  }

  async function submitted(body: InteractionBody): Promise<ViewResponseAction | undefined> {
    const view = submissionSchema.parse(body).view;
    const about = decodeAbout(view.private_metadata);
    const question = Object.values(view.state.values[ABOUT_FIELD] ?? {})[0]?.value?.trim() ?? '';
    const language = directory.language(body.user.id);
    if (about === undefined) return log.warn({}, 'a submitted modal that is not ours') as undefined;
    const received = await saved(about, question, body.user.id);
    const problem =
      question === '' ? wordsIn(await language).modal.blank : whatIsWrong(received, wordsIn(await language));
    return problem === undefined
      ? undefined
      : { response_action: 'errors', errors: { [ABOUT_FIELD]: fieldError(problem) } };
  }

  async function saved(about: About, question: string, user: string): Promise<Received | 'not_saved'> {
    if (question === '') return 'not_saved';
    const { thread, id } = about;
    const saving = directory.person(user).then((by) =>
      dispatcher.receive({
        thread,
        id,
        by,
        text: `${quote(about)}\n\n${question}`,
        mention: true,
        direct: threadParts(thread).channel.startsWith('D'),
        root: false,
        unseen: { text: question },
      }),
    );
    const failed = (error: unknown) => {
      log.error({ thread, reason: String(error) }, 'a question about a message could not be saved');
      return 'not_saved' as const;
    };
    const outcome = within(clock, SAVED_WITHIN, saving, (late) => void inFlight.track(late.then(() => {}, failed)));
    return outcome.then((received) => (received === 'late' ? 'not_saved' : received), failed);
  }

  return {
    shortcut: (body, ack) => inFlight.track(alwaysAcked(ack, (once) => Promise.all([open(body), once()]), log)),
    submission: (body, ack) => inFlight.track(alwaysAcked(ack, async (once) => once(await submitted(body)), log)),
  };
}

/** For the model: which message is meant. */
function quote({ by, text }: About): string {
  const words = quoteLines(text.trim() === '' ? '(no text)' : text.trim());
  return `[About this message of the thread${by === undefined ? '' : `, by <@${by}>`}:]\n${words}`;
}

/** Plain; undefined: it is saved. Sent again, it was saved before. */
function whatIsWrong(received: Received | 'not_saved', words: Words): string | undefined {
  if (received === 'not_saved' || received.status === 'ignored') return whisperText({ kind: 'not_saved' }, words);
  if (received.status !== 'not_allowed') return undefined;
  return whisperText({ kind: 'not_allowed', reason: received.reason }, words);
}
