import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  ANY_ACTION,
  type BlockRef,
  decodeAction,
  decodeBlock,
  decodeForm,
  decodeOption,
  decodePage,
  encodeAction,
  encodeBlock,
  encodeForm,
  encodeOption,
  encodePage,
  threadId,
  threadParts,
} from '../../src/slack/ids.ts';
import type { QuestionId, ThreadId } from '../../src/thread/ports.ts';

const slackId = fc.stringMatching(/^[A-Z][A-Z0-9]{2,12}$/);
const thread = fc
  .tuple(slackId, slackId, fc.stringMatching(/^\d{10}\.\d{6}$/))
  .map(([team, channel, ts]) => threadId(team, channel, ts));
const opaque = fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/);
const anyBlock: fc.Arbitrary<BlockRef> = fc.oneof(
  fc.record({
    kind: fc.constant('question' as const),
    part: fc.constantFrom('choices' as const, 'words' as const, 'buttons' as const),
    thread,
    question: opaque as fc.Arbitrary<QuestionId>,
  }),
  fc.record({ kind: fc.constant('run' as const), thread, runId: opaque }),
  fc.record({ kind: fc.constant('thread' as const), thread }),
  fc.constant({ kind: 'home' as const }),
);

describe('ids', () => {
  test('a block id says again what went into it, and fits Slack', () => {
    fc.assert(
      fc.property(anyBlock, (ref) => {
        const id = encodeBlock(ref);
        expect(id.length).toBeLessThanOrEqual(255);
        expect(decodeBlock(id)).toEqual(ref);
      }),
    );
  });

  test('different references have different ids', () => {
    fc.assert(
      fc.property(anyBlock, anyBlock, (a, b) => {
        expect(encodeBlock(a) === encodeBlock(b)).toBe(
          JSON.stringify(decodeBlock(encodeBlock(a))) === JSON.stringify(decodeBlock(encodeBlock(b))),
        );
      }),
    );
  });

  test('a form’s metadata says again what went into it, of twenty questions too', () => {
    const questions = fc.array(opaque, { minLength: 1, maxLength: 20 }) as fc.Arbitrary<QuestionId[]>;
    fc.assert(
      fc.property(thread, questions, (of, asked) => {
        expect(decodeForm(encodeForm(of, asked))).toEqual({ thread: of, questions: asked });
      }),
    );
  });

  test('Home’s metadata says again which page it is', () => {
    for (const page of [0, 1, 99]) expect(decodePage(encodePage(page))).toBe(page);
    for (const text of ['', '1', 'askback|page|', 'askback|page|-1', 'askback|form|1'])
      expect(decodePage(text)).toBeUndefined();
  });

  test('an action id says again what the control does', () => {
    const plain = [
      'menu',
      'choices',
      'words',
      'submit',
      'write',
      'change',
      'answer_all',
      'skip',
      'retry',
      'stop',
    ] as const;
    expect(decodeAction(encodeAction({ kind: 'page', page: 3 }))).toEqual({ kind: 'page', page: 3 });
    for (const kind of plain) expect(decodeAction(encodeAction({ kind }))).toEqual({ kind });
    for (const option of [0, 9, 99]) {
      const id = encodeAction({ kind: 'pick', option });
      expect(id).toMatch(ANY_ACTION);
      expect(decodeAction(id)).toEqual({ kind: 'pick', option });
      expect(decodeOption(encodeOption(option))).toBe(option);
    }
  });

  test.each([
    '',
    'XH72R',
    'askback',
    'askback|choices',
    'askback|choices|T1:C1:1.2',
    'askback|choices|T1:C1|q1',
    'askback|choices|T1:C1:now|q1',
    'askback|choices|T1:C1:1.2|',
    'askback|choices|T1:C1:1.2|q1|more',
    'askback|choices|T1:C1:1.2|q 1',
    'askback|other|T1:C1:1.2|q1',
    'askback|thread|T1:C1:1.2|q1',
    'askback|run|T1:C1:1.2',
    'askback|home|T1:C1:1.2',
    'other|choices|T1:C1:1.2|q1',
    `askback|choices|T1:C1:1.2|${'q'.repeat(300)}`,
  ])('the block id %j is not ours', (id) => {
    expect(decodeBlock(id)).toBeUndefined();
  });

  test.each([
    '',
    'feedback',
    'askback',
    'askback:',
    'askback:pick',
    'askback:pick:',
    'askback:pick:-1',
    'askback:pick:1.5',
    'askback:pick:01',
    'askback:pick:1:2',
    'askback:pick:9999999',
    'askback:skip:1',
    'askback:page',
    'askback:page:-1',
    'askback:toString',
  ])('the action id %j is not ours', (id) => expect(decodeAction(id)).toBeUndefined());

  test.each([
    '',
    '{}',
    'askback|form|T1:C1:1.2',
    'askback|buttons|T1:C1:1.2|q1',
    'askback|form|T1:C1:1.2|q 1',
    'askback|form|T1:C1:1.2|q1|',
    'askback|form|C1:1.2|q1',
    `askback|form|T1:C1:1.2|${'q'.repeat(3_000)}`,
  ])('the metadata %j is not ours', (text) => expect(decodeForm(text)).toBeUndefined());

  test('no text at all breaks a decoder', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string().map((text) => `askback|${text}`),
          fc.string().map((text) => `askback:${text}`),
        ),
        (text) => {
          decodeBlock(text);
          decodeAction(text);
          decodeForm(text);
          decodePage(text);
          decodeOption(text);
        },
      ),
    );
  });

  test('a thread comes apart into what it was made of', () => {
    expect(threadParts(threadId('T1', 'C1', '1700000000.000100'))).toEqual({
      team: 'T1',
      channel: 'C1',
      threadTs: '1700000000.000100',
    });
  });

  test('what cannot travel is a bug and thrown', () => {
    expect(() => threadId('T1', 'C:1', '1.2')).toThrow('Not a Slack thread');
    expect(() => threadParts('T1:C1' as ThreadId)).toThrow('team:channel:thread_ts');
    const of = threadId('T1', 'C1', '1.2');
    expect(() => encodeForm(of, ['a|b' as QuestionId])).toThrow('cannot travel');
    expect(() => encodeBlock({ kind: 'run', thread: of, runId: 'r'.repeat(300) })).toThrow('Slack takes 255');
  });
});
