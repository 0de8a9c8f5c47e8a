/** A question that is put to somebody else, the word that tells them, and the shortcut on a message. */
import { mara, tomas } from '../../test/sweep/shown.ts';
import { startStage } from './stage.ts';
import { picture, type Shot, type Studio } from './studio.ts';

const imani = 'U0IMANI001';
const deployments = 'C0DEPLOYS1';
const toTomas = 'D0TOMAS001';

export async function others(studio: Studio): Promise<void> {
  await using stage = await startStage();
  const question = {
    question: 'May `billing 2.4` go out with the new prices?',
    options: [{ label: 'Yes' }, { label: 'Not before Monday' }],
    to: [`<@${tomas}>`],
  };
  const talk = await stage.ask(`<@${tomas}> knows the prices, ask him`, [question], deployments);
  const [card] = await talk.cards();
  if (!card) throw new Error('There is no card.');
  const invitation = () =>
    stage.slack.wait((s) => s.messages.find((m) => m.channel === toTomas && m.text.includes('billing')), {
      what: 'the word to Tomás',
      timeoutMs: 20_000,
    });
  const { ts } = await invitation();
  const window = await studio.open(stage, `channel=${toTomas}`, { as: tomas, width: 440, height: 900 });
  const told = () => picture(window.getByRole('log', { name: 'Messages' }).locator(`[data-ts="${ts}"]`));

  const at = (caption: string) => studio.messages(stage, [{ caption, talk, ts: card.ts }]);
  const shots: Shot[] = [...(await at('put to somebody else, as Mara asked'))];
  shots.push({ caption: 'what Tomás is told in a direct message', png: await told() });
  await talk.press(card, 'Not before Monday', undefined, tomas);
  await talk.settled(card);
  shots.push(...(await at('answered by him')));
  await window.getByText('Answered').waitFor();
  shots.push({ caption: 'and what he was told, then', png: await told() });
  await window.close();

  const said = await stage.act({
    do: 'say',
    as: imani,
    channel: deployments,
    text: 'The import of the old invoices fails since this morning.',
  });
  const page = await studio.open(stage, `channel=${deployments}`);
  await stage.act({ do: 'shortcut', as: mara, channel: deployments, ts: said ?? '', callback_id: 'askback:about' });
  shots.push({ caption: 'the shortcut “Ask about this message”', png: await picture(page.getByRole('dialog')) });
  await page.close();
  await studio.sheet('others', shots);
}
