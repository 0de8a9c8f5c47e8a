/** A question that is put to somebody else, the word that tells them, and the shortcut on a message. */
import { mara, tomas } from '../../test/sweep/shown.ts';
import { startStage } from './stage.ts';
import { picture, type Shot, type Studio } from './studio.ts';

const imani = 'U0IMANI001';
const deployments = 'C0DEPLOYS1';

export async function others(studio: Studio): Promise<void> {
  await using stage = await startStage();
  const question = {
    question: 'May `billing 2.4` go out with the new prices?',
    options: [{ label: 'Yes' }, { label: 'Not before Monday' }],
    to: [`<@${imani}>`],
  };
  const talk = await stage.ask(`<@${imani}> knows the prices, ask her`, [question], deployments);
  const [card] = await talk.cards();
  if (!card) throw new Error('There is no card.');
  const told = (words: string) =>
    stage.slack.wait(
      ({ channels, messages }) => {
        const dm = channels.find(({ kind, members }) => kind === 'dm' && members.includes(imani));
        return messages.find((m) => m.channel === dm?.id && m.text.includes(words));
      },
      { what: 'the word to Imani', timeoutMs: 20_000 },
    );
  const first = await told('new prices');
  const window = await studio.open(stage, `channel=${first.channel}`, { as: imani, width: 440, height: 900 });
  const shown = (ts: string) => picture(window.getByRole('log', { name: 'Messages' }).locator(`[data-ts="${ts}"]`));

  const at = (caption: string) => studio.messages(stage, [{ caption, talk, ts: card.ts }]);
  const shots: Shot[] = [...(await at('put to somebody else, as Mara asked'))];
  shots.push({ caption: 'what Imani is told in a direct message', png: await shown(first.ts) });
  await talk.press(card, 'Not before Monday', undefined, imani);
  await talk.settled(card);
  shots.push(...(await at('answered by her')));
  await window.getByText('Answered').waitFor();
  shots.push({ caption: 'and what she was told, then', png: await shown(first.ts) });

  const withdrawn = await stage.ask(
    `<@${imani}> knows the customers, ask her`,
    [{ ...question, question: 'Who should hear of the new prices first?', options: [] }],
    deployments,
  );
  const [open] = await withdrawn.cards();
  if (!open) throw new Error('There is no card.');
  const second = await told('hear of');
  await withdrawn.press(open, 'Withdraw');
  await withdrawn.settled(open);
  shots.push(...(await studio.messages(stage, [{ caption: 'withdrawn by Mara', talk: withdrawn, ts: open.ts }])));
  await window.getByText('Cancelled').waitFor();
  shots.push({ caption: 'and what Imani was told, then', png: await shown(second.ts) });
  await window.close();

  const said = await stage.act({
    do: 'say',
    as: tomas,
    channel: deployments,
    text: 'The import of the old invoices fails since this morning.',
  });
  const page = await studio.open(stage, `channel=${deployments}`);
  await stage.act({ do: 'shortcut', as: mara, channel: deployments, ts: said ?? '', callback_id: 'askback:about' });
  shots.push({ caption: 'the shortcut “Ask about this message”', png: await picture(page.getByRole('dialog')) });
  await page.close();
  await studio.sheet('others', shots);
}
