/** The modal that takes a written answer, and what stands in its place when the question is settled already. */
import type { ModalView } from '@slack/types';
import type { QuestionView } from '../../thread/ports.ts';
import { oneLine, shorten } from '../cut.ts';
import { ANSWER_FIELD, ANSWER_INPUT, ANSWER_MODAL, encodeMetadata } from '../ids.ts';
import { LIMITS } from '../limits.ts';
import { readMessageText } from '../text.ts';
import type { Words } from '../words/words.ts';
import { optionsText, plainText, questionText } from './parts.ts';
import { receiptBlocks } from './receipt.ts';

/** A question as a modal with one field. With options ("Other…") they are listed for context only: picking is the card's. */
export function questionModal(view: QuestionView, { modal }: Words): ModalView {
  const options = view.question.options;
  return {
    type: 'modal',
    callback_id: ANSWER_MODAL,
    private_metadata: encodeMetadata(view.thread, view.id),
    title: plainText(options ? modal.otherAnswer : modal.answer),
    submit: plainText(modal.send),
    close: plainText(modal.cancel),
    blocks: [
      questionText(view.question.question),
      ...(options ? [optionsText(options)] : []),
      {
        type: 'input',
        block_id: ANSWER_FIELD,
        label: plainText(options ? modal.otherAnswerField : modal.answerField),
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
export function settledModal(view: QuestionView, words: Words): ModalView {
  const { settled, close } = words.modal;
  return { type: 'modal', title: plainText(settled), close: plainText(close), blocks: receiptBlocks(view, words) };
}

/** Shows `problem`, a whisper's mrkdwn without mentions, at the modal's field: the `errors` of an ack, which are plain. */
export function modalErrors(problem: string): Record<string, string> {
  return { [ANSWER_FIELD]: shorten(oneLine(readMessageText(problem, '')), 300) };
}
