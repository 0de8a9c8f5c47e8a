/**
 * Clicks and submitted modals. An answer is settled, and only then acked: a modal's errors are its ack. When the store has not
 * answered in time the person is told that nothing was saved; if it is after all, the card will show it.
 */
import type { ViewResponseAction } from '@slack/bolt';
import type { WebClient } from '@slack/web-api';
import type { Answered, Dispatcher, FeedbackGiven, Retried, Stopped } from '../../thread/dispatcher-api.ts';
import type { Clock, Messenger, Person, ThreadId, Whisper } from '../../thread/ports.ts';
import { toldOfAnswer } from '../../thread/told.ts';
import { isUnreadable } from '../../thread/unreadable.ts';
import type { Directory } from '../directory.ts';
import type { Identity } from '../identity.ts';
import type { InFlight } from '../in-flight.ts';
import { type FormAnswer, type Interaction, readBlockActions, readViewSubmission } from '../interaction.ts';
import type { Log } from '../log.ts';
import { fieldError, settledMeanwhile, settledModal } from '../views/modal.ts';
import { whisperText } from '../views/notice.ts';
import { within } from '../within.ts';
import { wordsIn } from '../words/catalogue.ts';
import type { Words } from '../words/words.ts';
import { alwaysAcked } from './acked.ts';
import { clickedIn, type InteractionBody } from './clicked-in.ts';
import type { HomeTabs } from './home.ts';
import { createModalOpener } from './open-modal.ts';

/** ms of the three seconds that Slack waits for an ack. */
const SAVED_WITHIN = 2_000;

type Settling = Exclude<Interaction, { kind: 'none' | 'open_form' | 'page' }>;

/** Why nothing came of what a person did. */
type NotTaken = 'not_saved' | 'unreadable';

type FieldOutcome = { field: string; answered: Answered };

export type AnswerParts = {
  client: Pick<WebClient, 'views'>;
  dispatcher: Pick<Dispatcher, 'answer' | 'feedback' | 'look' | 'lookAtStep' | 'retry' | 'stop' | 'withdraw'>;
  directory: Pick<Directory, 'person' | 'language'>;
  identity: Identity;
  messenger: Pick<Messenger, 'whisper'>;
  home: Pick<HomeTabs, 'pageOf' | 'show' | 'touch'>;
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
  const { dispatcher, directory, identity, messenger, home, inFlight, clock, log } = parts;
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
      case 'withdraw': {
        const { thread, question, cardTs } = interaction;
        return toldOfAnswer(await dispatcher.withdraw({ thread, question, by, ...(cardTs && { cardTs }) }));
      }
      case 'stop':
        return toldOfCommand(await dispatcher.stop(interaction.thread, by));
      case 'retry':
        return toldOfCommand(await dispatcher.retry(interaction.thread, interaction.runId, by));
      case 'feedback': {
        const { thread, runId, is } = interaction;
        return toldOfFeedback(await dispatcher.feedback({ thread, runId, by, is }), is);
      }
    }
  }

  /** The outcome within the time for an ack; what comes later is left to `afterwards`. */
  async function inTime<T>(work: Promise<T>, afterwards: (outcome: T) => unknown): Promise<T | NotTaken> {
    const failed = (error: unknown) => log.error({ reason: String(error) }, 'an answer could not be saved');
    try {
      const outcome = await within(clock, SAVED_WITHIN, work, (late) => {
        log.error({}, 'an answer was not saved in time for its ack');
        void inFlight.track(late.then(afterwards).then(() => {}, failed));
      });
      return outcome === 'late' ? 'not_saved' : outcome;
    } catch (error) {
      failed(error);
      return isUnreadable(error) ? 'unreadable' : 'not_saved';
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
    const page = home.pageOf(body);
    if (interaction.kind === 'page') {
      await ack();
      return home.show(user, interaction.page);
    }
    const tell = (whisper: Whisper) =>
      page === undefined
        ? messenger.whisper(place ?? interaction.thread, user, whisper)
        : home.show(user, page, whisper);
    if (interaction.kind === 'open_form') {
      // Nothing is to be saved, and the trigger lives no longer than the ack's time.
      const [told] = await Promise.all([openModal(interaction, user), ack()]);
      return told && tell(told);
    }
    const outcome = await inTime(perform(interaction, user), (told) => told && tell(told));
    await ack();
    if (outcome !== undefined) return tell(typeof outcome === 'string' ? { kind: outcome } : outcome);
    return page === undefined ? home.touch(user) : home.show(user, page);
  }

  async function submitted(body: InteractionBody): Promise<ViewResponseAction | undefined> {
    const submission = readViewSubmission(body);
    if (submission === undefined) {
      log.warn({}, 'a submitted modal that is not ours');
      return undefined;
    }
    const { thread, answers } = submission;
    const given = answers.flatMap((answer) => (answer.given ? [{ ...answer, given: answer.given }] : []));
    const language = directory.language(body.user.id);
    const saving = directory.person(body.user.id).then((by) => settleAll(thread, by, given));
    const outcomes = await inTime(saving, (late) =>
      log.info({ thread, answers: late.length }, 'answers after their ack'),
    );
    const words = wordsIn(await language);
    if (given.length === 0)
      return inPlace(answers.slice(0, 1).map(({ field }) => [field, nothingGiven(answers, words)]));
    if (typeof outcomes !== 'string') return formResponse(outcomes, words);
    return inPlace(given.slice(0, 1).map(({ field }) => [field, whisperText({ kind: outcomes }, words)]));
  }

  /** One after another: they are changes of one record. Sent once more, those that landed are accepted again. */
  async function settleAll(
    thread: ThreadId,
    by: Person,
    answers: readonly Required<FormAnswer>[],
  ): Promise<FieldOutcome[]> {
    const outcomes: FieldOutcome[] = [];
    for (const { question, given, field } of answers) {
      outcomes.push({ field, answered: await dispatcher.answer({ thread, question, by, given }) });
    }
    return outcomes;
  }

  return {
    action: (body, ack) => inFlight.track(alwaysAcked(ack, (once) => clicked(body, once), log)),
    submission: (body, ack) =>
      inFlight.track(
        alwaysAcked(
          ack,
          async (once) => {
            await once(await submitted(body));
            await home.touch(body.user.id);
          },
          log,
        ),
      ),
  };
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

function toldOfFeedback(given: FeedbackGiven, is: 'good' | 'bad'): Whisper {
  switch (given.status) {
    case 'accepted':
      return { kind: 'feedback_noted', is };
    case 'unknown':
      return { kind: 'feedback_unknown' };
    case 'not_allowed':
      return { kind: 'not_allowed', reason: given.reason };
  }
}

/** What is wrong with one stays at its field; who came too late for some and was in time for the others reads which. */
function formResponse(outcomes: readonly FieldOutcome[], words: Words): ViewResponseAction | undefined {
  const late = outcomes.flatMap(({ answered }) => (answered.status === 'already_settled' ? [answered.question] : []));
  const told = outcomes.flatMap(({ field, answered }): [string, string][] => {
    // Errors are plain text: a mention of the requester would show as its id.
    const whisper: Whisper | undefined =
      answered.status === 'not_allowed' ? { kind: 'not_allowed', reason: answered.reason } : toldOfAnswer(answered);
    return whisper ? [[field, whisperText(whisper, words)]] : [];
  });
  if (told.length > late.length) return inPlace(told);
  const [first] = late;
  if (first === undefined) return undefined;
  const view = outcomes.length === 1 ? settledModal(first, words) : settledMeanwhile(late, words);
  return { response_action: 'update', view };
}

function nothingGiven(answers: readonly FormAnswer[], { form, modal }: Words): string {
  if (answers.length > 1) return form.nothing;
  return answers[0]?.choice ? form.neither : modal.blank;
}

/** Under the fields, where the person looks, with what they entered still in them. */
function inPlace(problems: readonly [field: string, problem: string][]): ViewResponseAction {
  const errors = Object.fromEntries(problems.map(([field, problem]) => [field, fieldError(problem)]));
  return { response_action: 'errors', errors };
}
