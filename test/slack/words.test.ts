import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AnswerProblem } from '../../src/agent/answer-problem.ts';
import { checkMessage, checkModal } from '../../src/slack/limits.ts';
import { questionForm } from '../../src/slack/views/form.ts';
import { settledModal } from '../../src/slack/views/modal.ts';
import { postMessage, whisperText } from '../../src/slack/views/notice.ts';
import { questionCard } from '../../src/slack/views/question.ts';
import { wordsIn } from '../../src/slack/words/catalogue.ts';
import { en } from '../../src/slack/words/en.ts';
import { LANGUAGES, languageOf } from '../../src/slack/words/language.ts';
import type { Control, TypedReply, Words } from '../../src/slack/words/words.ts';
import type { NotAllowed, Post, Whisper } from '../../src/thread/ports.ts';
import { anyView, labelled, THREAD, textsIn, viewOf } from './views/questions.ts';

const others = LANGUAGES.filter((language) => language !== 'en');

test.for([
  ['en-US', 'en'],
  ['en-GB', 'en'],
  ['zh-TW', 'zh-Hant'],
  ['zh-HK', 'zh-Hant'],
  ['zh_TW', 'zh-Hant'],
  ['zh-Hant', 'zh-Hant'],
  ['zh-CN', 'zh-Hans'],
  ['zh-SG', 'zh-Hans'],
  ['zh', 'zh-Hans'],
  ['ja-JP', 'ja'],
  ['es-ES', 'es'],
  ['es-LA', 'es'],
  ['es-419', 'es'],
  ['fr-FR', 'fr'],
  ['fr-CA', 'fr'],
  ['de-DE', 'de'],
  ['de-AT', 'de'],
  ['pt-BR', 'en'],
  ['ko-KR', 'en'],
  ['', 'en'],
  ['not a locale', 'en'],
  [undefined, 'en'],
] as const)('who has Slack in %s is spoken to in %s', ([locale, language]) => {
  expect(languageOf(locale)).toBe(language);
});

/** Every sentence that the catalogue can make, with what was put into it in marks: «…». */
function sentences(words: Words): Record<string, string> {
  const who = '«who»';
  const replies: TypedReply[] = [
    { as: 'text' },
    ...(['label', 'number', 'numbers'] as const).flatMap((as) => [
      { as, orText: false },
      { as, orText: true },
    ]),
  ];
  const { card, receipt, modal, post, prompts, whisper, refusals, problems, failures } = words;
  const made: Record<string, string> = {
    'card.questionFor': card.questionFor(who),
    'card.place': card.place(2, 3),
    'receipt.expired': receipt.expired('«after»'),
    'post.asked': post.asked(who),
    'about.notThere': words.about.notThere('«bot»'),
    'post.reminder': post.reminder(who, '«question»'),
    'whisper.keptForLater 1': whisper.keptForLater(1),
    'whisper.keptForLater 2': whisper.keptForLater(2, who),
    'whisper.alreadySettled': whisper.alreadySettled('«ending»'),
    'refusals.not_requester': refusals.not_requester(who),
    'problems.nothing_picked': problems.nothing_picked(false),
    'problems.nothing_picked several': problems.nothing_picked(true),
    'problems.ambiguous': problems.ambiguous('«text»'),
    'problems.not_options': problems.not_options('«texts»'),
    'problems.too_long': problems.too_long('«max»'),
    working: words.working,
    'prompts.title': prompts.title,
  };
  for (const reply of replies) {
    made[`card.alsoByReply ${JSON.stringify(reply)}`] = card.alsoByReply(reply);
    made[`card.onlyByReply ${JSON.stringify(reply)}`] = card.onlyByReply(reply);
    made[`card.onlyByReply ${JSON.stringify(reply)} for another`] = card.onlyByReply(reply, who);
  }
  for (const [name, by] of [['', undefined] as const, [' by', who] as const]) {
    made[`receipt.answered${name}`] = receipt.answered(by);
    made[`receipt.skipped${name}`] = receipt.skipped(by);
    made[`receipt.superseded${name}`] = receipt.superseded(by);
    made[`receipt.cancelled${name}`] = receipt.cancelled(by);
    made[`post.stopped${name}`] = post.stopped(by);
    made[`refusals.not_requester${name}`] = refusals.not_requester(by);
  }
  const plain = { card, receipt, modal, post, whisper, refusals, problems, failures };
  return { ...made, ...leaves(plain) };
}

function leaves(value: object, path = ''): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [key, inner] of Object.entries(value)) {
    const at = path === '' ? key : `${path}.${key}`;
    if (typeof inner === 'string') found[at] = inner;
    else if (typeof inner === 'object' && inner !== null) Object.assign(found, leaves(inner, at));
  }
  return found;
}

/** The controls of a language, wherever they stand in it. */
function controls({ card, post }: Words): Control[] {
  return [card.answer, card.other, card.skip, card.submit, post.retry, post.feedback.good, post.feedback.bad];
}

describe.for(LANGUAGES)('in %s', (language) => {
  const words = wordsIn(language);

  test('a control says its own words to a screen reader, and more, within Slack’s limit', () => {
    for (const { text, label } of controls(words)) {
      expect(label.startsWith(text)).toBe(true);
      expect(label.length).toBeGreaterThan(text.length);
      expect(label.length).toBeLessThanOrEqual(75);
      // What is longer may be cut on the screen.
      expect(text.length).toBeLessThanOrEqual(20);
    }
    const { modal, card } = words;
    for (const title of [
      modal.answer,
      modal.otherAnswer,
      modal.settled,
      modal.send,
      modal.cancel,
      modal.close,
      words.about.title,
    ])
      expect(title.length).toBeLessThanOrEqual(24);
    for (const placeholder of [card.pickOne, card.pickSome]) expect(placeholder.length).toBeLessThanOrEqual(40);
    expect(words.working.length).toBeLessThanOrEqual(50);
  });

  test('no sentence is blank, has an emoji, or loses what is put into it', () => {
    for (const [name, sentence] of Object.entries(sentences(words))) {
      expect(sentence.trim(), name).toBe(sentence);
      expect(sentence, name).toMatch(/\p{Letter}|\d/u);
      expect(sentence, name).not.toMatch(/\p{Extended_Pictographic}/u);
      expect(sentence, name).not.toMatch(/undefined|\[object|null/);
      const given = en === words ? [] : (sentences(en)[name]?.match(/«\w+»|`\w+`/g) ?? []);
      for (const part of given) expect(sentence, name).toContain(part);
    }
  });

  test('how to stop, and the tools of Slack that are named, are what they are called', () => {
    expect(words.card.onlyByReply({ as: 'text' })).toContain('`stop`');
    expect(words.post.help.join(' ')).toContain('`stop`');
    expect(words.card.onlyByReply({ as: 'text' }, '<@U1>')).toMatch(/<@U1>.*`stop`/);
    expect(words.post.help.join(' ')).toContain(words.card.skip.text);
    // As the manifest calls it, for everybody.
    expect(words.post.help.join(' ')).toContain('Ask about this message');
    expect(words.modal.blank).toContain(words.card.skip.text);
  });

  test('a date is Slack’s to write, in the reader’s own way', () => {
    expect(words.moment).toContain('{date_short_pretty}');
    expect(words.moment.replace(/\{date_short_pretty\}|\{time\}/g, '')).not.toMatch(/[{}|^<>]/);
  });

  test('what an empty chat offers fits Slack, and asks for help in the word that we know', () => {
    const { title, offered } = words.prompts;
    expect(title).toMatch(/\p{Letter}/u);
    expect(offered.length).toBeGreaterThan(0);
    expect(offered.length).toBeLessThanOrEqual(4);
    expect(offered[0]?.message).toBe('help');
    expect(new Set(offered.flatMap((prompt) => [prompt.title, prompt.message])).size).toBe(offered.length * 2);
    for (const prompt of offered) expect(prompt.title.length).toBeLessThanOrEqual(40);
  });

  test('lists, numbers and durations', () => {
    expect(words.list(['A'])).toBe('A');
    expect(words.list(['A', 'B', 'C'])).toMatch(/^A.+B.+C$/);
    expect(words.number(20_000)).toMatch(/^20\D?000$/u);
    for (const [ms, numbers] of [
      [7_500_000, ['2', '5']],
      [86_400_000, ['1']],
      [30_000, ['30']],
      [0, ['1']],
    ] as const)
      expect(words.duration(ms).match(/\d+/g)).toEqual(numbers);
  });

  test('every card, receipt and modal of every question keeps Slack’s limits', () => {
    fc.assert(
      fc.property(anyView, fc.constantFrom<'dismissed' | 'cancelled'>('dismissed', 'cancelled'), (view, outcome) => {
        const settled = { ...view, settled: { settlement: { outcome }, by: 'U0BOB', at: 1_767_323_045_000 } };
        for (const shown of [view, settled])
          for (const plain of [false, true]) expect(checkMessage(questionCard(shown, words, { plain }))).toEqual([]);
        expect(checkModal(questionForm([view], words))).toEqual([]);
        expect(checkModal(settledModal(settled, words))).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  test('every control of a card has a name for screen readers', () => {
    fc.assert(
      fc.property(anyView, (view) => {
        for (const block of questionCard(view, words, { plain: false }).blocks ?? []) {
          if (block.type === 'input') expect(block.label.text).not.toBe('');
          if (block.type !== 'actions') continue;
          for (const element of block.elements) {
            if (element.type === 'button') expect(element.accessibility_label).toMatch(/\S/);
            else expect(element).toHaveProperty('placeholder.text', words.card.pickOne);
          }
        }
      }),
      { numRuns: 40 },
    );
  });

  const asked = viewOf({ question: 'Where?', options: labelled('EU', 'US') });
  const at = 1_767_323_045_000;
  const settled = (['dismissed', 'cancelled'] as const).map((outcome) => ({
    ...asked,
    settled: { settlement: { outcome }, by: 'U0BOB', at },
  }));
  const posts: Post['body'][] = [
    { kind: 'reply', text: '' },
    { kind: 'failure', message: '' },
    { kind: 'failure', message: 'Away.', code: 'server' },
    { kind: 'stopped' },
    { kind: 'stopped', by: 'U0BOB' },
    { kind: 'reminder', question: 'Where?', who: 'U0ADA' },
    { kind: 'help', who: 'U0ADA' },
    { kind: 'asked', who: 'U0ADA', text: '…' },
  ];

  test('every message has a text that says it without its blocks, its emoji and its colours', () => {
    const messages = [
      questionCard(asked, words, { plain: false }),
      ...settled.map((view) => questionCard(view, words, { plain: false })),
      ...posts.map((body) => postMessage({ id: 'p', body }, THREAD, words)),
    ];
    const bare = messages.map(({ text }) =>
      text.replace(/\p{Extended_Pictographic}|\uFE0F|<@\w+>|Where\?/gu, '').trim(),
    );
    for (const text of bare) expect(text).toMatch(/\p{Letter}{2}/u);
    // The two receipts differ by more than their emoji, as do a stop and a failure.
    expect(new Set(bare).size).toBe(bare.length);
  });

  test('every kind of whisper has words of its own', () => {
    const reasons: NotAllowed[] = [
      'not_requester',
      'not_participant',
      'guest',
      'external',
      'unknown_person',
      'user_not_listed',
      'channel_not_listed',
    ];
    const problems: AnswerProblem[] = [
      ...(['unreadable', 'blank', 'part_blank', 'no_such_option', 'too_many', 'options_only'] as const).map((kind) => ({
        kind,
      })),
      { kind: 'nothing_picked', several: true },
      { kind: 'nothing_picked', several: false },
      { kind: 'ambiguous', text: 'a & b' },
      { kind: 'not_options', texts: ['x', 'y'] },
      { kind: 'too_long', max: 20_000 },
    ];
    const whispers: Whisper[] = [
      { kind: 'kept_for_later', open: 1 },
      { kind: 'kept_for_later', open: 3, asked: ['U0ADA'] },
      ...reasons.map((reason) => ({ kind: 'not_allowed' as const, reason, requester: 'U0ADA' })),
      ...problems.map((problem) => ({ kind: 'invalid' as const, problem })),
      { kind: 'already_settled', settlement: { outcome: 'answered', labels: ['A', 'B'] }, by: 'U0BOB' },
      { kind: 'already_settled', settlement: { outcome: 'expired', after: '2 hours', ms: 7_200_000 } },
      { kind: 'not_saved' },
      { kind: 'unreadable' },
      { kind: 'unknown_question' },
      { kind: 'nothing_to_stop' },
      { kind: 'nothing_to_retry' },
      { kind: 'feedback_noted', is: 'good' },
      { kind: 'feedback_noted', is: 'bad' },
      { kind: 'feedback_unknown' },
      { kind: 'not_arrived' },
      { kind: 'form_late' },
      { kind: 'form_refused' },
    ];
    const said = whispers.map((whisper) => whisperText(whisper, words));
    expect(new Set(said).size).toBe(said.length);
    for (const text of said) expect(checkMessage({ text })).toEqual([]);
    if (language !== 'en') for (const text of said) expect(text).not.toMatch(/\b(the|nobody|within|hours)\b/i);
  });
});

test.for(others)('%s leaves nothing in English', (language) => {
  const english = sentences(en);
  const alike = Object.entries(sentences(wordsIn(language))).filter(([name, text]) => english[name] === text);
  // "Question" is French too.
  expect(alike.map(([, text]) => text).filter((text) => !text.startsWith('Question'))).toEqual([]);
});

test.for(['zh-Hant', 'zh-Hans', 'ja'] as const)('%s has Latin letters only in names', (language) => {
  const names = /Slack|Ask about this message|@Tomas|OPENAI_[A-Z_]+|`stop`|«\w+»/g;
  for (const [name, text] of Object.entries(sentences(wordsIn(language))))
    expect(text.replace(names, ''), name).not.toMatch(/[A-Za-z]/);
});

test('Traditional and Simplified Chinese each have their own characters', () => {
  const all = (language: 'zh-Hant' | 'zh-Hans') => Object.values(sentences(wordsIn(language))).join('');
  expect(all('zh-Hant')).not.toMatch(/[们这说问请选项结发给应当关闭时间无请处务续读编号]/);
  expect(all('zh-Hans')).not.toMatch(/[們這說問請選項結發給應當關閉時間無處務續讀編號]/);
});

test('one and several are told apart where a language does', () => {
  const kept = (language: (typeof LANGUAGES)[number], open: number) => wordsIn(language).whisper.keptForLater(open);
  expect(kept('en', 1)).toContain('A question is still open');
  expect(kept('en', 21)).toContain('21 questions are still open');
  expect(kept('de', 1)).toContain('eine Frage offen');
  expect(kept('de', 2)).toContain('2 Fragen offen');
  expect(kept('fr', 2)).toContain('2 questions attendent');
  expect(kept('es', 1_000_000)).toContain('1000000 preguntas');
  expect(kept('ja', 2)).toContain('2 件');
});

test('a failure that we know is said in the reader’s language, another in the words that came', () => {
  const say = (body: Post['body'], words: Words) => postMessage({ id: 'p', body }, THREAD, words).text;
  const known = { kind: 'failure', message: 'The model did not answer in time. Try again.', code: 'timeout' } as const;
  expect(say(known, wordsIn('fr'))).toBe('⚠️ Le modèle n’a pas répondu à temps. Réessayez.');
  expect(say(known, en)).toBe(`⚠️ ${known.message}`);
  const own = { ...known, message: 'Der Drucker brennt.', code: 'printer' };
  expect(say(own, wordsIn('fr'))).toBe('⚠️ Der Drucker brennt.');
  const { code: _, ...old } = known;
  expect(say(old, wordsIn('fr'))).toBe(`⚠️ ${known.message}`);
  expect(say({ ...own, code: 'toString' }, wordsIn('fr'))).toBe('⚠️ Der Drucker brennt.');
});

test('a question is read in one language as a whole: heading, controls, hint and receipt', () => {
  const view = viewOf(
    { question: 'Where?', options: labelled('EU', 'US'), allowFreeform: true },
    { position: 1, of: 1 },
  );
  const settlement = { outcome: 'expired', after: '1 day 2 hours', ms: 93_600_000 } as const;
  const receipt = { ...view, settled: { settlement, at: 1_767_323_045_000 } };
  expect(textsIn(questionCard(view, wordsIn('zh-Hant'), { plain: false }).blocks)).toEqual([
    '💬 請 <@U0ADA> 回答',
    'Where?',
    'EU',
    'US',
    '其他…',
    '略過',
    '你也可以直接在此討論串中回覆選項的文字，或用自己的話回答。',
  ]);
  expect(textsIn(questionCard(receipt, wordsIn('de'), { plain: false }).blocks)).toEqual([
    '💬 Frage an <@U0ADA>',
    'Where?',
    '⌛ Keine Antwort innerhalb der Frist (1 Tag, 2 Stunden) · <!date^1767323045^{date_short_pretty} um {time}|2026-01-02 03:04 UTC>',
  ]);
});

test('a language that lacks an entry, or has one too many, does not compile', () => {
  const { moment: _, ...lacking } = en;
  // @ts-expect-error: `moment` is missing
  const missing: Words = lacking;
  // @ts-expect-error: `colour` is nobody's
  const extra: Words = { ...en, colour: 'red' };
  // @ts-expect-error: and so deeper down
  const deeper: Words = { ...en, modal: { ...en.modal, colour: 'red' } };
  expect([missing, extra, deeper]).toHaveLength(3);
});
