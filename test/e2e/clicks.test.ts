/** Clicks as they come in real life: twice, by two people, too late, forged; over both modes. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { options } from './asking.ts';
import { control, type Talk, talkOf, textOf } from './talk.ts';
import { imani, PATIENCE, startWorld, tomas, type World } from './world.ts';

const asked = { question: 'Where to?', options: options('staging', 'production') };

describe.for(['socket', 'http'] as const)('%s', (mode) => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ mode, env: { ANSWER_POLICY: 'anyone' } });
  });
  afterAll(async () => {
    await world?.[Symbol.asyncDispose]();
  });

  type Card = Awaited<ReturnType<Talk['card']>>;
  /** What Slack sends for a click on the card's first button, made different by `change`, and brought once more. */
  async function forged(card: Card, by: string, change: (sent: string) => string) {
    const line = world.slack
      .state()
      .traffic.find(
        ({ kind, request }) => kind === 'interaction' && JSON.stringify(request).includes(`"message_ts":"${card.ts}"`),
      );
    if (!line) throw new Error('Nobody has clicked this card yet.');
    return world.slack.deliver(
      JSON.parse(change(JSON.stringify(line.request)).replace(/"user":\{"id":"\w+"/, `"user":{"id":"${by}"`)),
    );
  }

  test.concurrent('a double click is one answer', async () => {
    const talk = await talkOf(world, world.place(), asked);
    const card = await talk.card();
    const clicks = await Promise.all([
      talk.click(card, 'staging'),
      talk.click(card, 'staging'),
      talk.click(card, 'staging'),
    ]);
    expect(clicks.map(({ ok }) => ok)).toEqual([true, true, true]);
    await talk.reads('Heard: User selected: staging');
    await talk.receipt(card);
    await talk.atRest();
    expect(talk.posts()).toHaveLength(2);
    expect(world.whispers(talk.as)).toEqual([]);
  });

  test.concurrent('of two people at once one wins, and the other is told who', async () => {
    const talk = await talkOf(world, world.place(), asked);
    const card = await talk.card();
    const both = await Promise.all([talk.click(card, 'staging', tomas), talk.click(card, 'production', imani)]);
    expect(both.map(({ ok }) => ok)).toEqual([true, true]);
    const receipt = textOf(await talk.receipt(card));
    const [winner, loser, label] = receipt.includes(`by <@${tomas}>`)
      ? [tomas, imani, 'staging']
      : [imani, tomas, 'production'];
    expect(receipt).toContain(`Answered by <@${winner}>`);
    const note = await talk.told('settled already', loser);
    expect(note.text).toContain(`<@${winner}>: ${label}`);
    await talk.reads(`Heard: User selected: ${label}`);
    await talk.atRest();
    expect(talk.posts()).toHaveLength(2);
  });

  test.concurrent('a click on what we do not know changes nothing, and the person is told', async () => {
    const talk = await talkOf(world, world.place(), { ...asked, options: options('a', 'b', 'c') });
    const card = await talk.card();
    expect(await talk.modal(card, 'Other…', tomas)).toMatchObject({ user: tomas });
    const [{ block_id = '' } = {}] = (card.blocks ?? []).filter(({ type }) => type === 'actions');
    const [, , thread = '', question = ''] = block_id.split('|');
    const pick = (option: string) => (sent: string) => sent.replaceAll('askback:write', `askback:pick:${option}`);

    const forgeries: [string, (sent: string) => string, string][] = [
      ['another question', (sent) => sent.replaceAll(question, 'not-a-question'), 'do not know that question'],
      [
        'another thread',
        (sent) => pick('0')(sent).replaceAll(thread, 'T0HARBOR01:C0GENERAL1:1.000001'),
        'do not know that question',
      ],
      ['another deployment’s card', (sent) => sent.replaceAll('askback', 'otherbot'), 'do not know that question'],
      ['ids that are no ids', (sent) => sent.replaceAll('askback|', 'askback|x|'), 'do not know that question'],
      ['an option that there is not', pick('7'), 'has no such option'],
      ['an option that is no number', pick('__proto__'), 'do not know that question'],
      ['an endless option', pick('9'.repeat(400)), 'do not know that question'],
    ];
    for (const [what, change, told] of forgeries) {
      const notes = () => world.whispers(imani).filter(({ channel }) => channel === talk.channel);
      const before = notes().length;
      expect(await forged(card, imani, change), what).toEqual({ acked: true });
      const note = await world.slack.wait(() => notes()[before], { what: `a note about ${what}`, timeoutMs: PATIENCE });
      expect(note.text, what).toContain(told);
    }
    expect(textOf(await talk.card())).toEqual(textOf(card));
    expect(await talk.click(card, 'b')).toMatchObject({ ok: true });
    await talk.reads('Heard: User selected: b');
  });

  test.concurrent('a forged form is refused in place, and a real one of another question takes nothing', async () => {
    const talk = await talkOf(world, world.place(), { question: 'Why?' });
    const form = await talk.modal(await talk.card(), 'Answer…');
    const { block_id, action_id } = control(form.view as never, 'plain_text_input');
    const submission = (metadata: string, value: unknown) => ({
      type: 'view_submission',
      team: { id: 'T0HARBOR01', domain: 'x' },
      user: { id: talk.as, name: 'x' },
      view: {
        ...(form.view as object),
        id: form.id,
        app_installed_team_id: 'T0HARBOR01',
        callback_id: 'askback:answer',
        private_metadata: metadata,
        state: {
          values: { [fieldOf(metadata)]: { [action_id]: { type: 'plain_text_input', value } } },
        },
      } as never,
    });
    const real = String(form.view.private_metadata);
    const fieldOf = (metadata: string) => block_id.replace(/[^|]+$/, /[^|]+$/.exec(metadata)?.[0] ?? '');
    const answer = async (metadata: string, value: unknown) => {
      const receipt = await world.slack.deliver(submission(metadata, value));
      return receipt.acked ? JSON.stringify(receipt.response ?? null) : receipt.detail;
    };
    expect(await answer(real.replace(/[^|]+$/, 'not-a-question'), 'x')).toContain('do not know that question');
    expect(await answer(real, 'x'.repeat(20_001))).toContain('too long');
    expect(await answer(real, ' ')).toContain('Write your answer');
    expect(await answer(real, null)).toContain('Write your answer');
    expect(await answer('nothing of ours', 'x')).toBe('null');
    expect(talk.posts()).toHaveLength(1);
    expect(await talk.write(form, 'the real one')).toMatchObject({ ok: true });
    await talk.reads('Heard: User responded: the real one');
  });

  test('and nothing that Slack would object to', () => {
    expect(world.warnings()).toEqual([]);
  });
});
