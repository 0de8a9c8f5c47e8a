/**
 * Stores with many suspended runs. One is made by the real bot (a thread that was answered once and asks again); the others are its
 * records under other names, each of another person, since 100,000 conversations would take hours and say nothing more.
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStore } from '../src/storage/open.ts';
import { temporaryFolder } from './process.ts';
import { type Control, click, mention, type Post, startSlackSide } from './slack-side.ts';

export type Template = {
  records: { key: string; value: string; due: number | undefined }[];
  card: Post;
  ids: string[];
};

/** Names that are nowhere else in a record, for a copy to replace. */
const CHANNEL = 'CTEMPLATE';
const PERSON = 'UTEMPLATE';

export async function makeTemplate(): Promise<Template> {
  using folder = temporaryFolder();
  const file = join(folder.path, 'template.sqlite');
  await using side = await startSlackSide('socket');
  const bot = await side.start('bot', { STORE_URL: `sqlite://${file}` });
  const say = async (ts: string, thread?: string) => {
    const shown = side.nextPost(CHANNEL);
    const text = `deploy the service. ${'And be careful with the rest of it. '.repeat(20)}`;
    const said = { channel: CHANNEL, user: PERSON, ts, text, ...(thread && { thread }) };
    await side.deliver(mention(said), bot);
    return await shown;
  };
  const first = await say('100.000001');
  const reply = side.nextPost(CHANNEL);
  await side.deliver(click(first, PERSON), bot);
  await reply;
  await sleep(200);
  const card = await say('200.000001', '100.000001');
  await sleep(200);
  await bot.end();

  const db = new DatabaseSync(file, { readOnly: true });
  const rows = db.prepare("SELECT key, value, due FROM records WHERE key <> 'probe'").all();
  db.close();
  const records = rows.map(({ key, value, due }) => ({
    key: String(key),
    value: String(value),
    due: due === null ? undefined : Number(due),
  }));
  const uuids = records.flatMap(
    ({ key, value }) => `${key} ${value}`.match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? [],
  );
  return { records, card, ids: [...new Set(uuids)] };
}

/** Number `n` of the suspended runs: its records, and the control that a click on its card's first option is. */
export function copyOf(
  { records, card, ids }: Template,
  n: number,
): { records: Template['records']; control: Control } {
  const number = String(n).padStart(12, '0');
  const channel = `C${number}`;
  const user = `U${number}`;
  const renamed = (text: string) =>
    ids.reduce(
      (all, id) => all.replaceAll(id, id.slice(0, -12) + number),
      text.replaceAll(CHANNEL, channel).replaceAll(PERSON, user),
    );
  const choices = card.blocks.find(({ block_id }) => block_id?.startsWith('askback|choices|'));
  return {
    records: records.map(({ key, value, due }) => ({ key: renamed(key), value: renamed(value), due })),
    control: {
      channel,
      user,
      thread: card.thread,
      ts: card.ts,
      blockId: renamed(String(choices?.block_id)),
      actionId: String(choices?.elements?.[0]?.action_id),
    },
  };
}

/** Written straight into the file: the bot's own way syncs each record to disk. */
export async function fillSqlite(file: string, template: Template, count: number): Promise<void> {
  await (await openStore(`sqlite://${file}`)).close(); // makes the table
  const db = new DatabaseSync(file);
  const insert = db.prepare('INSERT INTO records VALUES (?, ?, ?)');
  db.exec('PRAGMA synchronous = OFF');
  for (let from = 0; from < count; from += 5_000) {
    db.exec('BEGIN');
    for (let n = from; n < Math.min(count, from + 5_000); n++) {
      for (const { key, value, due } of copyOf(template, n).records) insert.run(key, value, due ?? null);
    }
    db.exec('COMMIT');
  }
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
}

export async function fillServer(url: string, template: Template, count: number): Promise<void> {
  const store = await openStore(url);
  for (let from = 0; from < count; from += 100) {
    const numbers = Array.from({ length: Math.min(100, count - from) }, (_, index) => from + index);
    const records = numbers.flatMap((n) => copyOf(template, n).records);
    await Promise.all(records.map(({ key, value, due }) => store.swap(key, undefined, value, due)));
  }
  await store.close();
}
