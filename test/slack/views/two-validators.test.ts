/** What leaves passes a validator that was written from Slack's pages by other hands: the playground's. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseAskUser } from '../../../src/agent/ask-user-input.ts';
import type { Settlement } from '../../../src/agent/question.ts';
import type { JsonObject } from '../../../src/playground/json.ts';
import { checkMessage, checkView } from '../../../src/playground/validator/payloads.ts';
import { decodeAbout } from '../../../src/slack/ids.ts';
import { checkHome, checkModal, checkMessage as checkOurs } from '../../../src/slack/limits.ts';
import { aboutForm, notThereModal } from '../../../src/slack/views/about.ts';
import { fitsForm, questionForm } from '../../../src/slack/views/form.ts';
import { homeView } from '../../../src/slack/views/home.ts';
import { invitation } from '../../../src/slack/views/invitation.ts';
import { settledModal } from '../../../src/slack/views/modal.ts';
import { postMessage } from '../../../src/slack/views/notice.ts';
import { questionCard } from '../../../src/slack/views/question.ts';
import { wordsIn } from '../../../src/slack/words/catalogue.ts';
import { LANGUAGES } from '../../../src/slack/words/language.ts';
import type { QuestionId } from '../../../src/thread/ports.ts';
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
      const put = { ...open, asked: Array.from({ length: 20 }, (_, i) => `U0ASKED000${i}`) };
      const isAskable = parseAskUser({ ...open.question, to: ['ops'] }).ok;
      for (const view of isAskable
        ? [put, { ...put, settled: { settlement, by: 'U0BOB', at: 1_767_323_045_000 } }]
        : []) {
        const link = 'https://acme.slack.com/archives/C1/p1?thread_ts=1.2&cid=C1';
        for (const to of [link, undefined]) {
          const told = invitation(view, to, words);
          expect(checkOurs(told)).toEqual([]);
          expect(checkMessage(sent(told))).toEqual([]);
        }
        for (const plain of [false, true]) {
          const card = questionCard(view, words, { plain });
          expect(checkOurs(card)).toEqual([]);
          expect(checkMessage(sent(card))).toEqual([]);
        }
      }
      const settled = { ...open, settled: { settlement, by: 'U0BOB', at: 1_767_323_045_000 } };
      for (const view of [open, settled])
        for (const plain of [false, true]) expect(checkMessage(sent(questionCard(view, words, { plain })))).toEqual([]);
      for (const view of [open, settled]) expect(checkView(sent(questionForm([view], words)))).toEqual([]);
      expect(checkView(sent(settledModal(settled, words)))).toEqual([]);
    }),
    { numRuns: 70 },
  );
});

test('every form of several questions that fits, with what is picked already, in every language', () => {
  const some = fc.array(anyView, { minLength: 2, maxLength: 4 });
  fc.assert(
    fc.property(some, fc.constantFrom(...LANGUAGES), (drawn, language) => {
      const views = drawn.map((view, index) => ({ ...view, id: `q${index}` as QuestionId }));
      if (!fitsForm(views, wordsIn(language))) return;
      const ticked = { question: 'q1' as QuestionId, options: [0, 99] };
      expect(checkView(sent(questionForm(views, wordsIn(language), ticked)))).toEqual([]);
    }),
    { numRuns: 30 },
  );
});

test('every Home, in every language', () => {
  const states = ['working', 'asking', 'failed'] as const;
  fc.assert(
    fc.property(
      fc.array(anyView, { maxLength: 12 }),
      fc.array(fc.constantFrom(...states), { maxLength: 12 }),
      fc.constantFrom(...LANGUAGES),
      (drawn, runs, language) => {
        const home = {
          waiting: drawn.map((view, index) => ({ ...view, id: `q${index}` as QuestionId })),
          asked: runs.map((state, index) => ({
            thread: THREAD,
            runId: `r${index}`,
            state,
            waits: index,
            others: ['U0EVE'],
          })),
        };
        const linkTo = () => 'https://acme.slack.com/archives/C1/p1?thread_ts=1.2&cid=C1';
        for (const page of [0, 1, 9]) {
          const view = homeView(home, { words: wordsIn(language), page, linkTo, notice: 'So.' });
          expect(checkHome(view)).toEqual([]);
          expect(checkView(sent(view))).toEqual([]);
        }
      },
    ),
    { numRuns: 40 },
  );
});

test.for(LANGUAGES)('every kind of post, in %s', (language) => {
  for (const body of [
    { kind: 'reply', text: '# Done\n\n- a\n\n```ts\nb\n```' },
    { kind: 'reply', text: 'Done.', feedback: { runId: 'run_1' } },
    { kind: 'failure', message: 'Away.', retry: { runId: 'run_1' } },
    { kind: 'failure', message: 'Gone.', code: 'timeout' },
    { kind: 'stopped', by: 'U0BOB' },
    { kind: 'reminder', question: 'Where?', who: 'U0ADA' },
    { kind: 'help', who: 'U0ADA' },
    { kind: 'asked', who: 'U0ADA', text: '<!channel> & so on'.repeat(200) },
    { kind: 'reply', text: '' },
  ] as const)
    expect(checkMessage(sent(postMessage({ id: 'p', body }, THREAD, wordsIn(language))))).toEqual([]);
});

test.for(LANGUAGES)('the form about a message, whatever that says, in %s', (language) => {
  const words = wordsIn(language);
  for (const text of ['', ' \n', 'x', '<!channel> | & ```'.repeat(50), '𝒳'.repeat(5_000)]) {
    const about = { thread: THREAD, id: '100.000001', text };
    const view = aboutForm(about, words);
    expect(checkModal(view)).toEqual([]);
    expect(checkView(sent(view))).toEqual([]);
    const read = decodeAbout(view.private_metadata ?? '');
    expect(read).toMatchObject({ thread: THREAD, id: '100.000001' });
    expect(text.startsWith(read?.text.replace(/…$/, '') ?? '-')).toBe(true);
  }
  expect(checkModal(notThereModal('<@UBOT>', words))).toEqual([]);
  expect(checkView(sent(notThereModal('<@UBOT>', words)))).toEqual([]);
});
