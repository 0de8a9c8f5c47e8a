/** What leaves passes a validator that was written from Slack's pages by other hands: the playground's. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Settlement } from '../../../src/agent/question.ts';
import type { JsonObject } from '../../../src/playground/json.ts';
import { checkMessage, checkView } from '../../../src/playground/validator/payloads.ts';
import { questionModal, settledModal } from '../../../src/slack/views/modal.ts';
import { postMessage } from '../../../src/slack/views/notice.ts';
import { questionCard } from '../../../src/slack/views/question.ts';
import { wordsIn } from '../../../src/slack/words/catalogue.ts';
import { LANGUAGES } from '../../../src/slack/words/language.ts';
import { anyView, THREAD } from './questions.ts';

/** As it goes over the wire. */
const sent = (view: object): JsonObject => JSON.parse(JSON.stringify(view));

test('every card, receipt and modal of every question, in every language', () => {
  const endings: Settlement[] = [
    { outcome: 'answered', labels: [], text: 'so & so '.repeat(2_000) },
    { outcome: 'superseded', text: 'first <!here>' },
    { outcome: 'dismissed' },
    { outcome: 'expired', after: '2 hours', ms: 7_200_000 },
  ];
  fc.assert(
    fc.property(anyView, fc.constantFrom(...endings), fc.constantFrom(...LANGUAGES), (open, settlement, language) => {
      const words = wordsIn(language);
      const settled = { ...open, settled: { settlement, by: 'U0BOB', at: 1_767_323_045_000 } };
      for (const view of [open, settled])
        for (const plain of [false, true]) expect(checkMessage(sent(questionCard(view, words, { plain })))).toEqual([]);
      expect(checkView(sent(questionModal(open, words)))).toEqual([]);
      expect(checkView(sent(settledModal(settled, words)))).toEqual([]);
    }),
    { numRuns: 70 },
  );
});

test.for(LANGUAGES)('every kind of post, in %s', (language) => {
  for (const body of [
    { kind: 'reply', text: '# Done\n\n- a\n\n```ts\nb\n```' },
    { kind: 'failure', message: 'Away.', retry: { runId: 'run_1' } },
    { kind: 'failure', message: 'Gone.', code: 'timeout' },
    { kind: 'stopped', by: 'U0BOB' },
    { kind: 'reminder', question: 'Where?', who: 'U0ADA' },
    { kind: 'help', who: 'U0ADA' },
    { kind: 'reply', text: '' },
  ] as const)
    expect(checkMessage(sent(postMessage({ id: 'p', body }, THREAD, wordsIn(language))))).toEqual([]);
});
