import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Message } from '../../src/agent/messages.ts';
import { addStep, beginRun, pieceChars, sealable } from '../../src/agent/run.ts';
import { limited, toolResult, uniqueCallId, validTranscript } from '../../src/agent/transcript.ts';
import { assertTranscript } from '../support/scripted-model.ts';

const user = (content: string): Message => ({ role: 'user', content });
const said = (content: string, ...ids: string[]): Message & { role: 'assistant' } => ({
  role: 'assistant',
  content,
  toolCalls: ids.map((id) => ({ id, name: 'look', arguments: '{}' })),
});

describe('a transcript is made valid', () => {
  const missing = expect.objectContaining({ toolCallId: 'a', content: expect.stringContaining('outcome is unknown') });
  test.each<[string, Message[], unknown[]]>([
    [
      'as it is',
      [user('u'), said('', 'a'), toolResult('a', 'r', false), said('end')],
      [user('u'), said('', 'a'), toolResult('a', 'r', false), said('end')],
    ],
    ['a missing result is filled in', [said('', 'a'), user('u')], [said('', 'a'), missing, user('u')]],
    [
      'a late result moves up',
      [said('', 'a'), user('u'), toolResult('a', 'r', false)],
      [said('', 'a'), toolResult('a', 'r', false), user('u')],
    ],
    [
      'results come in the order of their calls',
      [said('', 'a', 'b'), toolResult('b', '2', false), toolResult('a', '1', false)],
      [said('', 'a', 'b'), toolResult('a', '1', false), toolResult('b', '2', false)],
    ],
    [
      'the first of two results stands',
      [said('', 'a'), toolResult('a', '1', false), toolResult('a', '2', false)],
      [said('', 'a'), toolResult('a', '1', false)],
    ],
    ['a result without its call goes', [user('u'), toolResult('x', 'r', false), said('end')], [user('u'), said('end')]],
    [
      'an id may come again in a later step',
      [said('', 'a'), toolResult('a', '1', false), said('', 'a'), toolResult('a', '2', false)],
      [said('', 'a'), toolResult('a', '1', false), said('', 'a'), toolResult('a', '2', false)],
    ],
    [
      'a result does not reach over an answer',
      [said('', 'a'), said('b'), toolResult('a', 'r', false)],
      [said('', 'a'), missing, said('b')],
    ],
  ])('%s', (_, messages, valid) => {
    expect(validTranscript(messages)).toEqual(valid);
  });

  const anything: fc.Arbitrary<Message[]> = fc.array(
    fc.oneof(
      fc.string().map(user),
      fc.uniqueArray(fc.constantFrom('a', 'b', 'c')).map((ids) => said('', ...ids)),
      fc.constantFrom('a', 'b', 'c').map((id) => toolResult(id, 'r', false)),
    ),
  );

  test('whatever it is made of, and only once', () => {
    fc.assert(
      fc.property(anything, (messages) => {
        const valid = validTranscript(messages);
        assertTranscript(valid);
        expect(validTranscript(valid)).toEqual(valid);
        const spoken = (all: Message[]) => all.filter((message) => message.role !== 'tool');
        expect(spoken(valid)).toEqual(spoken(messages));
      }),
    );
  });
});

test('call ids are unique whatever a server sends, and its own where they are', () => {
  fc.assert(
    fc.property(
      fc.array(fc.option(fc.constantFrom('a', 'b', '', ' ', '__proto__', 'askback_1'), { nil: undefined })),
      (given) => {
        const used = new Set<string>();
        const ids = given.map((id) => uniqueCallId(id, used));
        expect(new Set(ids).size).toBe(given.length);
        expect(ids).not.toContain('__proto__');
        if (given.includes('a')) expect(ids[given.indexOf('a')]).toBe('a');
      },
    ),
  );
});

test('a piece is sealed only of complete steps, and only when it is worth it', () => {
  const run = beginRun({ runId: 'r', holder: 'h' }, [{ role: 'user', content: 'x'.repeat(pieceChars) }]);
  expect(sealable(beginRun({ runId: 'r', holder: 'h' }, [{ role: 'user', content: 'short' }]))).toBe(0);
  expect(sealable(run)).toBe(1);
  expect(sealable(addStep(run, said('', 'a'), undefined))).toBe(1);
  expect(sealable({ ...run, messages: [...run.messages, said('', 'a'), toolResult('a', 'r', false)] })).toBe(3);
});

test('a text over its limit is cut with a notice, never within a character', () => {
  expect(limited('abc', 3, 'It')).toBe('abc');
  expect(limited('abcd', 3, 'It')).toBe('abc\n[It was cut here: 1 of 4 characters are left out.]');
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), fc.nat(20), (text, limit) => {
      if (text.isWellFormed()) expect(limited(text, limit, 'It').isWellFormed()).toBe(true);
    }),
  );
});
