/** What a form says when it came too late, or when what was entered does not do. */
import type { KnownBlock, ModalView } from '@slack/types';
import type { QuestionView } from '../../thread/ports.ts';
import { oneLine, shorten } from '../cut.ts';
import { checkModal } from '../limits.ts';
import { readMessageText } from '../text.ts';
import type { Words } from '../words/words.ts';
import { note, plainText } from './parts.ts';
import { receiptBlocks } from './receipt.ts';

/** What happened, for a person whose modal came too late. No inputs. */
export function settledModal(view: QuestionView, words: Words): ModalView {
  const { settled, close } = words.modal;
  return { type: 'modal', title: plainText(settled), close: plainText(close), blocks: receiptBlocks(view, words) };
}

/** For whoever answered several questions at once, and came too late for some: their receipts, as many as Slack shows. */
export function settledMeanwhile(views: readonly QuestionView[], words: Words): ModalView {
  const { modal, form } = words;
  const view: ModalView = {
    type: 'modal',
    title: plainText(modal.settled),
    close: plainText(modal.close),
    blocks: [
      note(form.settledMeanwhile),
      ...views.flatMap((view): KnownBlock[] => [{ type: 'divider' }, ...receiptBlocks(view, words)]),
    ],
  };
  return views.length > 1 && checkModal(view).length > 0 ? settledMeanwhile(views.slice(0, -1), words) : view;
}

/** A whisper's mrkdwn, without mentions, as an error at a field: the `errors` of an ack are plain. */
export function fieldError(problem: string): string {
  return shorten(oneLine(readMessageText(problem, '')), 300);
}
