/** Opening the form of a question, or of all that are open in its step, within the three seconds that its trigger lives. */
import type { ModalView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import type { Dispatcher } from '../../thread/dispatcher-api.ts';
import type { Clock, Whisper } from '../../thread/ports.ts';
import { isUnreadable } from '../../thread/unreadable.ts';
import type { Directory } from '../directory.ts';
import type { OpenForm } from '../interaction.ts';
import { assertModal } from '../limits.ts';
import type { Log } from '../log.ts';
import { questionForm } from '../views/form.ts';
import { settledModal } from '../views/modal.ts';
import { failureOf, slackErrorCode } from '../web-api-error.ts';
import { within } from '../within.ts';
import { wordsIn } from '../words/catalogue.ts';

/** ms for the store; the rest of the trigger's life is for the way to Slack and back. */
const LOOKED_WITHIN = 1_500;

const LATE: Whisper = { kind: 'form_late' };
const REFUSED: Whisper = { kind: 'form_refused' };

export type ModalParts = {
  client: Pick<WebClient, 'views'>;
  dispatcher: Pick<Dispatcher, 'look' | 'lookAtStep'>;
  directory: Pick<Directory, 'person' | 'language'>;
  clock: Clock;
  log: Log;
};

/** Resolves to what the person must be told instead of, or beside, a modal. Never rejects. */
export function createModalOpener({ client, dispatcher, directory, clock, log }: ModalParts) {
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

  return async (request: OpenForm, user: string): Promise<Whisper | undefined> => {
    const { thread, question, triggerId, all, ticked } = request;
    try {
      const language = directory.language(user);
      const looking = directory.person(user).then(async (by) => {
        if (all) return dispatcher.lookAtStep(thread, question, by);
        const looked = await dispatcher.look(thread, question, by);
        return looked.status === 'open' ? { ...looked, questions: [looked.question] } : looked;
      });
      const seen = await within(clock, LOOKED_WITHIN, looking, (late) => void late.catch(() => {}));
      if (seen === 'late') return LATE;
      const words = wordsIn(await language);
      switch (seen.status) {
        case 'open':
          return await open(triggerId, questionForm(seen.questions, words, { question, options: ticked }));
        case 'already_settled':
          return await open(triggerId, settledModal(seen.question, words));
        case 'not_allowed': {
          const { status: _, ...refused } = seen;
          return { kind: 'not_allowed', ...refused };
        }
        case 'unknown':
          return { kind: 'unknown_question' };
      }
    } catch (error) {
      log.error({ thread, reason: String(error) }, 'a modal could not be prepared');
      return isUnreadable(error) ? { kind: 'unreadable' } : REFUSED;
    }
  };
}
