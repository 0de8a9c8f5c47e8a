/** A sheet for every kind of card, with each of its states; and all kinds in the dark. */
import { endings, type Kind, kinds } from './kinds.ts';
import { startStage } from './stage.ts';
import type { Shot, Studio } from './studio.ts';

/** So many cards can be asked on the stage. */
const CHANNELS = 60;

export async function cards(studio: Studio): Promise<void> {
  const expired = await expiredCards(studio);
  await using stage = await startStage({ channels: CHANNELS });
  const inTurn = oneAtATime();

  const asked = kinds.map(async (kind, index) => {
    const open = await stage.ask(kind.says, [kind.question]);
    const [card] = await open.cards();
    const states = [{ caption: 'open', talk: open, ts: card?.ts ?? '' }];
    for (const { caption, fits, way } of endings) {
      if (!fits(kind.question)) continue;
      const talk = await stage.ask(kind.says, [kind.question]);
      const [card] = await talk.cards();
      if (!card) continue;
      // Mara has one form open at a time.
      await inTurn(() => way(kind)({ stage, talk, card }));
      await talk.settled(card);
      states.push({ caption, talk, ts: card.ts });
    }
    return { kind, states, expired: expired[index] as Shot };
  });
  const all = await Promise.all(asked);

  for (const { kind, states, expired } of all) {
    await studio.sheet(`card-${kind.name}`, [...(await studio.messages(stage, states)), expired]);
  }
  const open = all.map(({ kind, states: [first] }) => ({
    ...(first as NonNullable<typeof first>),
    caption: kind.title,
  }));
  const receipts = all
    .slice(0, 2)
    .map(({ states }) => ({ ...(states[1] as (typeof states)[number]), caption: 'answered' }));
  await studio.sheet('cards-dark', await studio.messages(stage, [...open, ...receipts], { dark: true }), {
    dark: true,
  });
}

function oneAtATime() {
  let turn: Promise<unknown> = Promise.resolve();
  return <T>(act: () => Promise<T>): Promise<T> => {
    const mine = turn.then(act);
    turn = mine.catch(() => {});
    return mine;
  };
}

async function expiredCards(studio: Studio): Promise<Shot[]> {
  await using stage = await startStage({ channels: kinds.length, env: { QUESTION_EXPIRE_AFTER: '3s' } });
  const states = await Promise.all(
    kinds.map(async ({ says, question }: Kind) => {
      const talk = await stage.ask(says, [question]);
      const card = await talk.sees('an expired card', (m) =>
        JSON.stringify(m.blocks ?? []).includes('Nobody answered'),
      );
      return { caption: 'expired', talk, ts: card.ts };
    }),
  );
  return await studio.messages(stage, states);
}
