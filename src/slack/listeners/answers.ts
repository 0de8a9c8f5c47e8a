/**
 * Clicks and submitted modals. An answer is settled, and only then acked: a modal's errors are its ack. When the store has not
 * answered in time the person is told that nothing was saved; if it is after all, the card will show it.
 */
import type { ViewResponseAction } from '@slack/bolt';
import type { WebClient } from '@slack/web-api';
import type { Answered, Dispatcher, Retried, Stopped } from '../../thread/dispatcher-api.ts';
import type { Clock, Messenger, Whisper } from '../../thread/ports.ts';
import type { Directory } from '../directory.ts';
import type { Identity } from '../identity.ts';
import type { InFlight } from '../in-flight.ts';
import { type Interaction, readBlockActions, readViewSubmission } from '../interaction.ts';
import type { Log } from '../log.ts';
import { modalErrors, settledModal } from '../views/modal.ts';
import { whisperText } from '../views/notice.ts';
import { within } from '../within.ts';
import { wordsIn } from '../words/catalogue.ts';
import type { Words } from '../words/words.ts';
import { clickedIn, type InteractionBody } from './clicked-in.ts';
import { createModalOpener } from './open-modal.ts';

/** ms of the three seconds that Slack waits for an ack. */
const SAVED_WITHIN = 2_000;

type Settling = Exclude<Interaction, { kind: 'none' | 'open_modal' }>;

export type AnswerParts = {
  client: Pick<WebClient, 'views'>;
  dispatcher: Pick<Dispatcher, 'answer' | 'look' | 'retry' | 'stop'>;
  directory: Directory;
  identity: Identity;
  messenger: Pick<Messenger, 'whisper'>;
  inFlight: InFlight;
  clock: Clock;
  log: Log;
};

export type AnswerListeners = {
  /** Never rejects, and always acks. */
  action(body: InteractionBody, ack: () => Promise<void>): Promise<void>;
  submission(body: InteractionBody, ack: (response?: ViewResponseAction) => Promise<void>): Promise<void>;
};

export function createAnswerListeners(parts: AnswerParts): AnswerListeners {
  const { dispatcher, directory, identity, messenger, inFlight, clock, log } = parts;
  const openModal = createModalOpener(parts);

  /** Does what was asked for; what the person must be told, if anything. */
  async function perform(interaction: Settling, user: string): Promise<Whisper | undefined> {
    if (interaction.kind === 'not_arrived') return { kind: 'not_arrived' };
    const by = await directory.person(user);
    switch (interaction.kind) {
      case 'answer': {
        const { thread, question, given, cardTs } = interaction;
        return toldOfAnswer(await dispatcher.answer({ thread, question, by, given, ...(cardTs && { cardTs }) }));
      }
      case 'stop':
        return toldOfCommand(await dispatcher.stop(interaction.thread, by));
      case 'retry':
        return toldOfCommand(await dispatcher.retry(interaction.thread, interaction.runId, by));
    }
  }

  /** The outcome within the time for an ack; what comes later is left to `afterwards`. */
  async function inTime<T>(work: Promise<T>, afterwards: (outcome: T) => unknown): Promise<T | 'not_saved'> {
    const failed = (error: unknown) => log.error({ reason: String(error) }, 'an answer could not be saved');
    try {
      const outcome = await within(clock, SAVED_WITHIN, work, (late) => {
        log.error({}, 'an answer was not saved in time for its ack');
        void inFlight.track(late.then(afterwards).then(() => {}, failed));
      });
      return outcome === 'late' ? 'not_saved' : outcome;
    } catch (error) {
      failed(error);
      return 'not_saved';
    }
  }

  async function clicked(body: InteractionBody, ack: () => Promise<void>): Promise<void> {
    const user = body.user.id;
    const interaction = readBlockActions(body);
    const place = clickedIn(body, identity.team);
    if (interaction === undefined || interaction.kind === 'none') {
      await ack();
      if (interaction !== undefined || place === undefined) return;
      log.warn({ place }, 'a click on a control that is not ours');
      return messenger.whisper(place, user, { kind: 'unknown_question' });
    }
    const tell = (whisper: Whisper) => messenger.whisper(place ?? interaction.thread, user, whisper);
    if (interaction.kind === 'open_modal') {
      // Nothing is to be saved, and the trigger lives no longer than the ack's time.
      const [told] = await Promise.all([openModal(interaction, user), ack()]);
      return told && tell(told);
    }
    const outcome = await inTime(perform(interaction, user), (told) => told && tell(told));
    await ack();
    if (outcome !== undefined) await tell(outcome === 'not_saved' ? { kind: 'not_saved' } : outcome);
  }

  async function submitted(body: InteractionBody): Promise<ViewResponseAction | undefined> {
    const submission = readViewSubmission(body);
    if (submission === undefined) {
      log.warn({}, 'a submitted modal that is not ours');
      return undefined;
    }
    const language = directory.language(body.user.id);
    if (submission.kind === 'blank') return inPlace(wordsIn(await language).modal.blank);
    const { thread, question, given } = submission;
    const answer = directory.person(body.user.id).then((by) => dispatcher.answer({ thread, question, by, given }));
    const answered = await inTime(answer, ({ status }) => log.info({ thread, status }, 'an answer after its ack'));
    const words = wordsIn(await language);
    return answered === 'not_saved'
      ? inPlace(whisperText({ kind: 'not_saved' }, words))
      : modalResponse(answered, words);
  }

  return {
    action: (body, ack) => inFlight.track(alwaysAcked(ack, (once) => clicked(body, once), log)),
    submission: (body, ack) => inFlight.track(alwaysAcked(ack, async (once) => once(await submitted(body)), log)),
  };
}

/** Acks once, at the latest when the work is over. Without an ack the person sees a warning sign and we never hear why. */
async function alwaysAcked<R>(
  ack: (response?: R) => Promise<void>,
  work: (ack: (response?: R) => Promise<void>) => Promise<unknown>,
  log: Log,
): Promise<void> {
  let acked = false;
  const once = async (response?: R): Promise<void> => {
    if (acked) return;
    acked = true;
    await ack(response).catch((error: unknown) => log.warn({ reason: String(error) }, 'an ack did not reach Slack'));
  };
  try {
    await work(once);
  } catch (error) {
    log.error({ reason: error instanceof Error ? error.stack : String(error) }, 'a click was not handled');
  } finally {
    await once();
  }
}

function toldOfAnswer(answered: Answered): Whisper | undefined {
  switch (answered.status) {
    case 'accepted':
      return undefined;
    case 'already_settled': {
      const { settlement, by } = answered;
      return { kind: 'already_settled', settlement, ...(by !== undefined && { by }) };
    }
    case 'not_allowed': {
      const { reason, requester } = answered;
      return { kind: 'not_allowed', reason, ...(requester !== undefined && { requester }) };
    }
    case 'invalid':
      return { kind: 'invalid', problem: answered.problem };
    case 'unknown':
      return { kind: 'unknown_question' };
  }
}

function toldOfCommand(done: Stopped | Retried): Whisper | undefined {
  switch (done.status) {
    case 'stopped':
    case 'retrying':
      return undefined;
    case 'nothing_to_stop':
      return { kind: 'nothing_to_stop' };
    case 'nothing_to_retry':
      return { kind: 'nothing_to_retry' };
    case 'not_allowed':
      return { kind: 'not_allowed', reason: done.reason, requester: done.requester };
  }
}

function modalResponse(answered: Answered, words: Words): ViewResponseAction | undefined {
  if (answered.status === 'already_settled') {
    return { response_action: 'update', view: settledModal(answered.question, words) };
  }
  // Errors of a modal are plain text: a mention of the requester would show as its id.
  const told: Whisper | undefined =
    answered.status === 'not_allowed' ? { kind: 'not_allowed', reason: answered.reason } : toldOfAnswer(answered);
  return told && inPlace(whisperText(told, words));
}

/** Under the field, where the person looks, with what they wrote still in it. */
function inPlace(problem: string): ViewResponseAction {
  return { response_action: 'errors', errors: modalErrors(problem) };
}
