/** The form of the shortcut "Ask about this message", and what it says instead where we are not. */
import type { ModalView } from '@slack/types';
import { shorten } from '../cut.ts';
import { ABOUT_FIELD, ABOUT_FORM, type About, encodeAbout, encodeAction } from '../ids.ts';
import { LIMITS } from '../limits.ts';
import type { Words } from '../words/words.ts';
import { plainText, quoted } from './parts.ts';

/** Of the message, so that the person sees which it is. */
const SHOWN = 500;

export function aboutForm(about: About, { about: words, modal }: Words): ModalView {
  return {
    type: 'modal',
    callback_id: ABOUT_FORM,
    private_metadata: encodeAbout(about),
    title: plainText(words.title),
    submit: plainText(modal.send),
    close: plainText(modal.cancel),
    blocks: [
      ...(about.text.trim() === '' ? [] : [quoted(shorten(about.text.trim(), SHOWN))]),
      {
        type: 'input',
        block_id: ABOUT_FIELD,
        label: plainText(words.field),
        hint: plainText(words.hint),
        element: {
          type: 'plain_text_input',
          action_id: encodeAction({ kind: 'words' }),
          multiline: true,
          max_length: LIMITS.plainTextInput.value,
          placeholder: plainText(words.placeholder),
          focus_on_load: true,
        },
      },
    ],
  };
}

/** `bot`: our mention. */
export function notThereModal(bot: string, { about, modal }: Words): ModalView {
  const text = { type: 'mrkdwn' as const, text: about.notThere(bot) };
  return {
    type: 'modal',
    title: plainText(about.title),
    close: plainText(modal.close),
    blocks: [{ type: 'section', text }],
  };
}
