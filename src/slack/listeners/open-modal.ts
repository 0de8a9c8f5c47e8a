/** Opening a question's modal within the three seconds that its trigger lives. */
import type { ModalView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import type { Dispatcher } from '../../thread/dispatcher-api.ts';
import type { Clock, Whisper } from '../../thread/ports.ts';
import type { Directory } from '../directory.ts';
import type { Interaction } from '../interaction.ts';
import { assertModal } from '../limits.ts';
import type { Log } from '../log.ts';
import { questionModal, settledModal } from '../views/modal.ts';
import { failureOf, slackErrorCode } from '../web-api-error.ts';
import { within } from '../within.ts';
import { wordsIn } from '../words/catalogue.ts';

/** ms for the store; the rest of the trigger's life is for the way to Slack and back. */
const LOOKED_WITHIN = 1_500;

const LATE: Whisper = { kind: 'form_late' };
const REFUSED: Whisper = { kind: 'form_refused' };

export type ModalParts = {
  client: Pick<WebClient, 'views'>;
  dispatcher: Pick<Dispatcher, 'look'>;
  directory: Directory;
  clock: Clock;
  log: Log;
};

/** Resolves to what the person must be told instead of, or beside, a modal. Never rejects. */
export function createModalOpener({ client, dispatcher, directory, clock, log }: ModalParts) {
  type Request = Extract<Interaction, { kind: 'open_modal' }>;

  async function open(triggerId: string, view: ModalView): Promise<Whisper | undefined> {
    try {
      assertModal(view);
      await client.views.open({ trigger_id: triggerId, view });
      return undefined;
    } catch (error) {
      const code = slackErrorCode(error);
      // The same click came twice, and the first has opened it.
      if (code === 'exchanged_trigger_id') return undefined;
      log.warn({ reason: failureOf(error).reason }, 'a modal was not opened');
      return code === 'expired_trigger_id' ? LATE : REFUSED;
    }
  }

  return async ({ thread, question, triggerId }: Request, user: string): Promise<Whisper | undefined> => {
    try {
      const language = directory.language(user);
      const looking = directory.person(user).then((by) => dispatcher.look(thread, question, by));
      const seen = await within(clock, LOOKED_WITHIN, looking, (late) => void late.catch(() => {}));
      if (seen === 'late') return LATE;
      const words = wordsIn(await language);
      switch (seen.status) {
        case 'open':
          return await open(triggerId, questionModal(seen.question, words));
        case 'already_settled':
          return await open(triggerId, settledModal(seen.question, words));
        case 'not_allowed': {
          const { reason, requester } = seen;
          return { kind: 'not_allowed', reason, ...(requester !== undefined && { requester }) };
        }
        case 'unknown':
          return { kind: 'unknown_question' };
      }
    } catch (error) {
      log.error({ thread, reason: String(error) }, 'a modal could not be prepared');
      return REFUSED;
    }
  };
}
