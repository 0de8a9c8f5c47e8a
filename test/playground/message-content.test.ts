import { expect, test } from 'vitest';
import { startPlayground } from '../../src/playground/server.ts';

/** What the traffic warns of, after the bot has posted these blocks. */
async function warning(blocks: object[]): Promise<string | undefined> {
  await using slack = await startPlayground();
  const channel = slack.state().channels.find((one) => one.name === 'general')?.id;
  const response = await fetch(`${slack.apiUrl}chat.postMessage`, {
    method: 'POST',
    headers: { authorization: `Bearer ${slack.botToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ channel, text: 'An answer', blocks }),
  });
  expect(await response.json()).toMatchObject({ ok: true });
  return slack.state().traffic.find((row) => row.warning !== undefined)?.warning;
}

const richText = (element: object) => [
  { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [element] }] },
];

test('what notifies everybody is warned of', async () => {
  expect(await warning([{ type: 'section', text: { type: 'mrkdwn', text: 'Hi <!channel>' } }])).toContain('everybody');
  expect(await warning(richText({ type: 'broadcast', range: 'channel' }))).toContain('everybody');
});

test('a sign that is quoted as plain text notifies nobody', async () => {
  expect(await warning(richText({ type: 'text', text: 'She wrote <!channel>' }))).toBeUndefined();
  expect(
    await warning([{ type: 'section', text: { type: 'plain_text', text: 'She wrote <!channel>' } }]),
  ).toBeUndefined();
});
