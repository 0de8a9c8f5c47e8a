/** The modal that takes a written answer, and what stands in its place when the question is settled already. */
import type { ModalView } from '@slack/types';
import type { QuestionView } from '../../thread/ports.ts';
import { oneLine, shorten } from '../cut.ts';
import { ANSWER_FIELD, ANSWER_INPUT, ANSWER_MODAL, encodeMetadata } from '../ids.ts';
import { LIMITS } from '../limits.ts';
import { readMessageText } from '../text.ts';
import { optionsText, plainText, questionText } from './parts.ts';
import { receiptBlocks } from './receipt.ts';

export const BLANK_ANSWER = 'Write your answer here. To leave the question unanswered, close this and press Skip.';

/** A question as a modal with one field. With options ("Other…") they are listed for context only: picking is the card's. */
export function questionModal(view: QuestionView): ModalView {
  const options = view.question.options;
  return {
    type: 'modal',
    callback_id: ANSWER_MODAL,
    private_metadata: encodeMetadata(view.thread, view.id),
    title: plainText(options ? 'Another answer' : 'Your answer'),
    submit: plainText('Send'),
    close: plainText('Cancel'),
    blocks: [
      questionText(view.question.question),
      ...(options ? [optionsText(options)] : []),
      {
        type: 'input',
        block_id: ANSWER_FIELD,
        label: plainText(options ? 'Your answer, in your own words' : 'Your answer'),
        element: {
          type: 'plain_text_input',
          action_id: ANSWER_INPUT,
          multiline: true,
          max_length: LIMITS.plainTextInput.value,
          focus_on_load: true,
        },
      },
    ],
  };
}

/** What happened, for a person whose modal came too late. No inputs. */
export function settledModal(view: QuestionView): ModalView {
  return { type: 'modal', title: plainText('Already settled'), close: plainText('Close'), blocks: receiptBlocks(view) };
}

/** Shows `problem` (plain, or a whisper's mrkdwn) at the modal's field: the `errors` of an ack, which draw no mentions. */
export function modalErrors(problem: string): Record<string, string> {
  const plain = readMessageText(problem.replace(/ \(<@\w+>\)/g, ''), '');
  return { [ANSWER_FIELD]: shorten(oneLine(plain), 300) };
}
