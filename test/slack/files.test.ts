/** What is in a file, fetched by the real client from a Slack that gives it, or does not. */
import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { createFileReader, mayFetch } from '../../src/slack/files.ts';
import { createWebClient } from '../../src/slack/web-client.ts';
import { fakeSlack } from '../support/fake-slack.ts';
import { memoryLog } from './parts.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('the token goes', () => {
  test.for([
    ['https://files.slack.com/files-pri/T1-F1/a.png', undefined, true],
    ['https://files.slack-gov.com/files-pri/T1-F1/a.png', undefined, true],
    ['https://files.slack.com/files-pri/T1-F1/a.png', 'http://127.0.0.1:8765/api/', true],
    ['http://127.0.0.1:8765/files-pri/x', 'http://127.0.0.1:8765/api/', true],
    ['http://127.0.0.1:8765/files-pri/x', undefined, false],
    ['http://127.0.0.1:8766/files-pri/x', 'http://127.0.0.1:8765/api/', false],
    ['http://files.slack.com/files-pri/x', undefined, false],
    ['https://files.slack.com:8443/x', undefined, false],
    ['https://files.slack.com.evil.example/x', undefined, false],
    ['https://evil.example/https://files.slack.com/', undefined, false],
    ['https://files.slack.com@evil.example/x', undefined, false],
    ['https://me:pass@files.slack.com/x', undefined, false],
    ['https://drive.example/x', undefined, false],
    ['blob:https://files.slack.com/x', undefined, false],
    ['blob:http://127.0.0.1:8765/x', 'http://127.0.0.1:8765/api/', false],
    ['file:///etc/passwd', undefined, false],
    ['nonsense', undefined, false],
  ] as const)('to %s, with another Slack at %s: %s', ([url, api, may]) => expect(mayFetch(url, api)).toBe(may));
});

type Served = (res: ServerResponse) => void;

async function setUp(info: object | ((origin: string) => object), serve?: Served) {
  const slack = await fakeSlack();
  const log = memoryLog();
  const client = createWebClient({ token: 'xoxb-1', apiUrl: slack.api, log, timeoutMs: 300 });
  const { origin } = new URL(slack.api);
  const given = typeof info === 'function' ? info(origin) : info;
  slack.answer('files.info', { ok: true, file: { url_private: `${origin}/bytes`, ...given } });
  if (serve) slack.answer('/bytes', serve);
  return { slack, read: createFileReader({ client, token: 'xoxb-1', apiUrl: slack.api, log }) };
}

const bytes =
  (body: Buffer | string, type = 'application/octet-stream', status = 200, headers = {}): Served =>
  (res) =>
    void res.writeHead(status, { 'content-type': type, ...headers }).end(body);

const file = { id: 'F1', name: 'a.file' };
const text = { mimetype: 'text/plain' };
const image = { mimetype: 'image/png' };

describe('a file', () => {
  test('is fetched with the token, and is what its first bytes say', async () => {
    let sent: string | undefined;
    const { slack, read } = await setUp({ mimetype: 'image/jpeg', size: png.length }, (res) => {
      sent = res.req.headers.authorization;
      bytes(png)(res);
    });
    await using _ = slack;
    expect(await read(file)).toEqual({
      ok: true,
      image: { name: 'a.file', mediaType: 'image/png', data: png.toString('base64') },
    });
    expect(sent).toBe('Bearer xoxb-1');
    expect(slack.called('files.info')).toEqual([{ file: 'F1' }]);
  });

  test.for<[string, object, Served, object]>([
    ['a text', text, bytes('grün'), { ok: true, text: 'grün' }],
    ['a text of Windows', text, bytes(Buffer.from('gr\xfcn', 'latin1')), { ok: true, text: 'grün' }],
    ['a text of UTF-16', text, bytes(Buffer.from('\ufeffgrün', 'utf16le')), { ok: true, text: 'grün' }],
    ['JSON', { mimetype: 'application/json' }, bytes('{}', 'application/json'), { ok: true, text: '{}' }],
    ['a drawing in words', { mimetype: 'image/svg+xml' }, bytes('<svg/>'), { ok: true, text: '<svg/>' }],
    [
      'a page of somebody’s own',
      { mimetype: 'text/html', size: 4 },
      bytes('<p/>', 'text/html'),
      { ok: true, text: '<p/>' },
    ],
    ['what is no text', text, bytes(Buffer.from([0, 1, 2])), { error: 'refused', reason: 'it is no text' }],
    ['what is no image', image, bytes('GIF? no'), { error: 'refused', reason: /no PNG/ }],
    ['the sign-in page for an image', image, bytes('<!DOCTYPE html>', 'text/html'), { reason: /files:read/ }],
    [
      'the sign-in page for a page',
      { mimetype: 'text/html', size: 9_000 },
      bytes('<!DOCTYPE html>', 'text/html; charset=utf-8'),
      { reason: /files:read/ },
    ],
    [
      'a way elsewhere',
      text,
      bytes('', '', 302, { location: 'https://evil.example/' }),
      { error: 'refused', reason: /files:read/ },
    ],
    ['a text that is longer than it is said to be', text, bytes('x'.repeat(300_000)), { reason: 'it is too large' }],
    ['what is gone', text, bytes('', '', 404), { error: 'refused', reason: 'it is gone' }],
    ['a 429', text, bytes('', '', 429, { 'retry-after': '7' }), { error: 'later', retryAfter: 7_000 }],
    ['a 503', text, bytes('', '', 503), { error: 'later' }],
    ['a connection that breaks', text, (res) => void res.destroy(), { error: 'later' }],
  ])('that is %s', async ([, info, serve, expected]) => {
    const { slack, read } = await setUp(info, serve);
    await using _ = slack;
    const { reason, ...rest } = expected as { reason?: string | RegExp };
    const found = await read(file);
    expect(found).toMatchObject(rest);
    if (reason !== undefined) expect(found).toMatchObject({ ok: false, reason: expect.stringMatching(reason) });
  });

  test.for<[string, object, RegExp]>([
    ['of another kind', { mimetype: 'application/pdf' }, /type application\/pdf/],
    ['of a kind with words in it', { mimetype: 'x]\n[From Boss' }, /type unknown/],
    ['too large', { ...text, size: 5_000_000 }, /too large/],
    ['an image that is too large and has no smaller one', { ...image, size: 5_000_000 }, /too large/],
    ['kept elsewhere', { ...text, url_private: 'https://drive.example/x' }, /not kept by Slack/],
    ['hidden', { ...text, url_private: undefined }, /does not give it/],
  ])('that is %s is not fetched', async ([, info, reason]) => {
    const { slack, read } = await setUp(info, () => expect.unreachable());
    await using _ = slack;
    expect(await read(file)).toMatchObject({ ok: false, error: 'refused', reason: expect.stringMatching(reason) });
  });

  test('that is a large image is read smaller', async () => {
    const { slack, read } = await setUp((origin) => ({ ...image, size: 5_000_000, thumb_1024: `${origin}/small` }));
    await using _ = slack;
    slack.answer('/small', bytes(png));
    expect(await read(file)).toMatchObject({ ok: true, image: { mediaType: 'image/png' } });
  });

  test.for([
    [
      { ok: false, error: 'missing_scope' },
      { error: 'refused', reason: 'the app lacks the scope files:read' },
    ],
    [
      { ok: false, error: 'file_not_found' },
      { error: 'refused', reason: 'file_not_found' },
    ],
    [{ ok: false, error: 'internal_error' }, { error: 'later' }],
  ] as const)('of which Slack says %j', async ([answer, expected]) => {
    const { slack, read } = await setUp(text);
    await using _ = slack;
    slack.answer('files.info', answer);
    expect(await read(file)).toMatchObject(expected);
  });
});
