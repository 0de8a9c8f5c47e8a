import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readBlockActions } from '../../../src/slack/interaction.ts';
import { checkMessage } from '../../../src/slack/limits.ts';
import { postMessage, whisperText } from '../../../src/slack/views/notice.ts';
import { en } from '../../../src/slack/words/en.ts';
import type { NotAllowed, Post, Whisper } from '../../../src/thread/ports.ts';
import { THREAD } from './questions.ts';

const post = (body: Post['body']) => postMessage({ id: 'p1', body }, THREAD, en);

describe('a post', () => {
  test('a reply is a markdown block, harmless, with the same words as its text', () => {
    expect(
      post({
        kind: 'reply',
        text: '# Done\n\n**All** of it, @channel. See [the log](https://a.example/log) & <!here>',
      }),
    ).toEqual({
      text: 'Done\n\nAll of it, @\u2060channel. See the log (https://a.example/log) &amp; @\u2060here',
      blocks: [
        {
          type: 'markdown',
          text: '# Done\n\n**All** of it, @\u2060channel. See [the log](https://a.example/log) & @\u2060here',
        },
      ],
    });
  });

  test('a reply without words says that there is nothing to say', () => {
    expect(post({ kind: 'reply', text: ' \n' }).blocks).toEqual([
      { type: 'markdown', text: '_Done; the agent had nothing to add._' },
    ]);
  });

  test('the end of a run’s reply has thumbs beneath, and a click on one says which', () => {
    const { blocks = [] } = post({ kind: 'reply', text: 'Done.', feedback: { runId: 'run_1' } });
    const [said, thumbs] = blocks as unknown as Record<string, never>[];
    expect(said).toEqual({ type: 'markdown', text: 'Done.' });
    expect(thumbs).toMatchObject({
      type: 'context_actions',
      elements: [{ type: 'feedback_buttons', positive_button: { value: 'good' }, negative_button: { value: 'bad' } }],
    });
    const click = (value: unknown) => ({
      type: 'block_actions',
      trigger_id: 't',
      actions: [{ type: 'feedback_buttons', block_id: thumbs?.block_id, action_id: 'askback:feedback', value }],
    });
    expect(readBlockActions(click('bad'))).toEqual({ kind: 'feedback', thread: THREAD, runId: 'run_1', is: 'bad' });
    for (const odd of ['', 'great', null, undefined, 1]) expect(readBlockActions(click(odd))).toBeUndefined();
  });

  test('a failure is its sentence, and Retry where that can help', () => {
    expect(post({ kind: 'failure', message: 'The model <x> is away.' })).toEqual({
      text: '⚠️ The model &lt;x&gt; is away.',
      blocks: [{ type: 'section', text: { type: 'mrkdwn', text: '⚠️ The model &lt;x&gt; is away.' } }],
    });
    const retryable = post({ kind: 'failure', message: 'Away.', retry: { runId: 'run_1' } });
    const [, actions] = retryable.blocks ?? [];
    expect(actions).toMatchObject({ type: 'actions', elements: [{ text: { text: 'Retry' } }] });
    const body = {
      type: 'block_actions',
      trigger_id: 't',
      actions: [{ block_id: actions?.block_id, action_id: 'askback:retry' }],
    };
    expect(readBlockActions(body)).toEqual({ kind: 'retry', thread: THREAD, runId: 'run_1' });
  });

  test('a stop says who, and a reminder names who is asked', () => {
    expect(post({ kind: 'stopped' })).toEqual({ text: '🛑 Stopped.' });
    expect(post({ kind: 'stopped', by: 'U0BOB' })).toEqual({ text: '🛑 Stopped by <@U0BOB>.' });
    expect(post({ kind: 'reminder', question: 'Which\n<env>?', who: 'U0ADA' })).toEqual({
      text: '⏰ <@U0ADA>, a question still waits for you here: Which &lt;env&gt;?',
    });
  });

  test('every post passes the validator', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 9_000 }),
      fc.constantFrom('&'.repeat(9_000), '@here '.repeat(1_500), '<!channel>'.repeat(900), ''),
    );
    const body: fc.Arbitrary<Post['body']> = fc.oneof(
      fc.record({ kind: fc.constant('reply' as const), text }),
      fc.record({ kind: fc.constant('failure' as const), message: text }),
      fc.record({ kind: fc.constant('failure' as const), message: text, retry: fc.constant({ runId: 'run_1' }) }),
      fc.record({ kind: fc.constant('stopped' as const), by: fc.constant('U0BOB') }),
      fc.record({ kind: fc.constant('reminder' as const), question: text, who: fc.constant('U0ADA') }),
      fc.constant({ kind: 'help' as const, who: 'U0ADA' }),
    );
    fc.assert(
      fc.property(body, (drawn) => {
        expect(checkMessage(post(drawn))).toEqual([]);
      }),
    );
  });
});

describe('a whisper', () => {
  const rows: [Whisper, string][] = [
    [
      { kind: 'kept_for_later', open: 1, asked: ['U0ADA', 'U0BOB'] },
      'Noted, but not as an answer: I read your message as soon as I go on. A question is still open above (for <@U0ADA> and <@U0BOB>).',
    ],
    [
      { kind: 'kept_for_later', open: 2 },
      'Noted, but not as an answer: I read your message as soon as I go on. 2 questions are still open above.',
    ],
    [{ kind: 'invalid', problem: { kind: 'nothing_picked', several: true } }, 'Pick at least one option.'],
    [
      { kind: 'invalid', problem: { kind: 'not_options', texts: ['<this>', 'that\none'] } },
      'Not among the options: &lt;this&gt; and that one.',
    ],
    [
      { kind: 'invalid', problem: { kind: 'too_long', max: 20_000 } },
      'The answer is too long: at most 20,000 characters.',
    ],
    [
      { kind: 'already_settled', settlement: { outcome: 'answered', labels: ['A & B', 'C'], text: 'so' }, by: 'U0BOB' },
      'That question is settled already. ✅ Answered by <@U0BOB>: A &amp; B, C, and so.',
    ],
    [
      { kind: 'already_settled', settlement: { outcome: 'expired', after: '2 hours' } },
      'That question is settled already. ⌛ Nobody answered within 2 hours.',
    ],
    [
      { kind: 'not_saved' },
      'I could not save that in time. Please try again in a moment; if it went through after all, the card shows it.',
    ],
    [
      { kind: 'unknown_question' },
      'I do not know that question (any more), so nothing was changed. Mention me to start again.',
    ],
    [{ kind: 'nothing_to_stop' }, 'Nothing is running here, so there is nothing to stop.'],
    [
      { kind: 'not_allowed', reason: 'not_requester', requester: 'U0ADA' },
      'Only the person who started this (<@U0ADA>) may do that. Nothing was changed.',
    ],
  ];
  test.each(rows)('%j', (whisper, expected) => expect(whisperText(whisper, en)).toBe(expected));

  test('every refusal has words of its own', () => {
    const reasons: NotAllowed[] = [
      'not_requester',
      'not_participant',
      'guest',
      'external',
      'unknown_person',
      'user_not_listed',
      'channel_not_listed',
    ];
    const said = reasons.map((reason) => whisperText({ kind: 'not_allowed', reason }, en));
    expect(new Set(said).size).toBe(reasons.length);
    for (const text of said) expect(checkMessage({ text })).toEqual([]);
  });
});
