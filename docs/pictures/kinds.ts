/** Every kind of question, and every way in which each of them can end. */
import type { PlaygroundMessage } from '../../src/playground/protocol.ts';
import type { Asked } from '../../test/e2e/asking.ts';
import { bot } from '../../test/sweep/shown.ts';
import { entered, type Stage, type Talk } from './stage.ts';

type Hand = { stage: Stage; talk: Talk; card: PlaygroundMessage };
type Way = (hand: Hand) => Promise<unknown>;

/** `says`: with what it begins. */
export type Kind = { name: string; title: string; says: string; question: Asked; answer: Way };

const options = (...pairs: (string | [label: string, description: string])[]) =>
  pairs.map((pair) => (typeof pair === 'string' ? { label: pair } : { label: pair[0], description: pair[1] }));

const regions = options(
  ['eu-north', 'Stockholm'],
  ['eu-west', 'Dublin'],
  ['eu-central', 'Frankfurt'],
  ['us-east', 'Virginia'],
  ['us-west', 'Oregon'],
  ['sa-east', 'São Paulo'],
  ['ap-northeast', '東京 (Tokyo)'],
);

const press =
  (label: string): Way =>
  ({ talk, card }) =>
    talk.press(card, label);
const submit =
  (...labels: string[]): Way =>
  ({ talk, card }) =>
    talk.press(card, 'Submit', entered(card, { labels }));

export const kinds: readonly Kind[] = [
  {
    name: 'buttons',
    title: 'Buttons',
    says: 'deploy billing 2.4',
    question: {
      question: 'Where should `billing 2.4` go?',
      options: options('Staging', 'Canary', 'Production'),
      allowFreeform: false,
    },
    answer: press('Canary'),
  },
  {
    name: 'buttons-and-other',
    title: 'Buttons and Other…',
    says: 'send the report to the board',
    question: {
      question: 'How should the report be sent?',
      options: options(
        ['Short', 'Three sentences and one number'],
        ['Full', 'Everything, with the tables'],
        'Not at all',
      ),
    },
    answer: press('Full'),
  },
  {
    name: 'menu',
    title: 'A menu',
    says: 'set up a cluster for the shop',
    question: { question: 'Which region should it run in?', options: regions, allowFreeform: true },
    answer: ({ talk, card }) => talk.pick(card, 'eu-central'),
  },
  {
    name: 'checkboxes',
    title: 'Checkboxes',
    says: 'check the release',
    question: {
      question: 'Which checks should pass first?',
      options: options(
        ['Unit tests', 'About two minutes'],
        ['Load test', 'Half an hour, at twice the usual load'],
        'Security scan',
        ['Smoke test', 'Five requests a minute'],
      ),
      selectionMode: 'multi_select',
    },
    answer: submit('Unit tests', 'Smoke test'),
  },
  {
    name: 'multi-select-menu',
    title: 'A menu for several',
    says: 'restart what is slow',
    question: {
      question: 'Which services should be restarted tonight?',
      options: options(
        ...'billing search catalogue checkout mail reports sessions images prices stock login'.split(' '),
      ),
      selectionMode: 'multi_select',
      allowFreeform: false,
    },
    answer: submit('search', 'mail', 'login'),
  },
  {
    name: 'free-text',
    title: 'Free text',
    says: 'write the release note',
    question: { question: 'What should the release note say about the **new invoices**?' },
    answer: async ({ stage, talk, card }) => {
      const form = await talk.form(card, 'Answer…');
      await stage.submit(
        form,
        entered(form, { words: 'Invoices are sent on the first of the month.\nNothing else changes.' }),
      );
    },
  },
];

/** `fits`: questions that can end so. */
export const endings: readonly { caption: string; fits(question: Asked): boolean; way(kind: Kind): Way }[] = [
  { caption: 'answered', fits: () => true, way: ({ answer }) => answer },
  {
    caption: 'answered, with a note',
    fits: ({ options, allowFreeform = true }) => options !== undefined && allowFreeform,
    way:
      ({ question }) =>
      async ({ stage, talk, card }) => {
        const form = await talk.form(card, 'Other…');
        const labels = [question.options?.[1]?.label ?? ''];
        await stage.submit(form, entered(form, { labels, words: 'But not before Monday.' }));
      },
  },
  {
    caption: 'answered in own words',
    fits: ({ options, allowFreeform = true }) => options !== undefined && allowFreeform,
    way:
      () =>
      async ({ stage, talk, card }) => {
        const form = await talk.form(card, 'Other…');
        await stage.submit(form, entered(form, { words: 'Whatever Imani says; she knows these customers best.' }));
      },
  },
  { caption: 'skipped', fits: () => true, way: () => press('Skip') },
  {
    caption: 'superseded by another message',
    fits: ({ allowFreeform }) => allowFreeform === false,
    way:
      () =>
      ({ talk }) =>
        talk.say(`<@${bot}> wait, show me the change log first`),
  },
  {
    caption: 'cancelled',
    fits: () => true,
    way:
      () =>
      ({ talk }) =>
        talk.say('stop'),
  },
];
