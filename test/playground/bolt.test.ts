import { expect, test } from 'vitest';
import type { Action, Done, StateValues } from '../../src/playground/protocol.ts';
import type { Playground } from '../../src/playground/server.ts';
import { boltOn, bot, button, clientOf, general, mara, refusalOf, section, startSocket, tomas } from './bolt-app.ts';

const modes = ['socket', 'http'] as const;

const say = (slack: Playground, text: string, more: object = {}) =>
  slack.do({ as: mara, do: 'say', channel: general, text, ...more }) as Promise<Extract<Done, { ok: true }>>;

const posted = (slack: Playground, text: string) =>
  slack.wait((state) => state.messages.find((message) => message.text === text), { what: `a message "${text}"` });

const click = (slack: Playground, ts: string, action_id: string, more: Partial<Action> = {}) => {
  const message = slack.state().messages.find((entry) => entry.ts === ts);
  const block = message?.blocks?.find((entry) => JSON.stringify(entry).includes(`"action_id":"${action_id}"`));
  return slack.do({
    as: mara,
    do: 'interact',
    container: { type: 'message', channel: general, ts },
    block_id: block?.block_id ?? '',
    action_id,
    action: { type: 'button', value: 'v' },
    ...more,
  } as Action);
};

const warnings = (slack: Playground) => slack.state().traffic.flatMap((line) => line.warning ?? []);

test.for(modes)('%s: a mention comes as two events, is answered in its thread, and nothing is loud', async (mode) => {
  const seen: string[] = [];
  await using world = await boltOn(mode, {}, (app) => {
    app.message(async ({ message }) => void seen.push(`message ${message.ts}`));
    app.event('app_mention', async ({ event, say: reply }) => {
      seen.push(`app_mention ${event.ts}`);
      await reply({ text: 'hello', thread_ts: event.ts });
    });
  });
  const { ts } = await say(world.slack, `<@${bot}> hi`);
  const reply = await posted(world.slack, 'hello');
  expect(reply).toMatchObject({ user: bot, thread_ts: ts, channel: general });
  expect(seen.toSorted()).toEqual([`app_mention ${ts}`, `message ${ts}`]);
  expect(world.slack.state().messages.find((message) => message.ts === ts)?.replyCount).toBe(1);
  expect(warnings(world.slack)).toEqual([]);
});

test.for(modes)('%s: a click is told with its state, and updates the card', async (mode) => {
  const actions: unknown[] = [];
  await using world = await boltOn(mode, {}, (app) => {
    app.action('go', async ({ ack, body, client, action }) => {
      await ack();
      actions.push({ action, state: 'state' in body ? body.state : undefined });
      if (body.type !== 'block_actions' || !body.message) return;
      await client.chat.update({ channel: general, ts: body.message.ts, text: 'done', blocks: [] });
    });
    app.action('boxes', async ({ ack }) => ack());
  });
  const options = ['a', 'b'].map((value) => ({ text: { type: 'plain_text', text: value }, value }));
  const { ts } = (await clientOf(world.slack).chat.postMessage({
    channel: general,
    text: 'card',
    blocks: [
      { type: 'actions', block_id: 'x', elements: [{ type: 'checkboxes', action_id: 'boxes', options }] },
      { type: 'actions', block_id: 'y', elements: [button('go', 'yes')] },
    ] as never,
  })) as { ts: string };
  const ticked = { action_id: 'boxes', action: { type: 'checkboxes', selected_options: [options[1]] } };
  expect(await click(world.slack, ts, 'boxes', ticked as never)).toEqual({ ok: true });
  expect(await click(world.slack, ts, 'go')).toEqual({ ok: true });
  const card = await posted(world.slack, 'done');
  expect(card.blocks).toBeUndefined();
  expect(actions).toMatchObject([
    {
      action: { type: 'button', value: 'yes', action_id: 'go', block_id: 'y', action_ts: expect.any(String) },
      state: { values: { x: { boxes: { type: 'checkboxes', selected_options: [{ value: 'b' }] } } } },
    },
  ]);
});

test.for(modes)('%s: a modal says what is wrong, is updated, pushed on, and cleared', async (mode) => {
  const plain = (text: string) => ({ type: 'plain_text' as const, text });
  const view = (title: string, more: object = {}) => ({
    type: 'modal' as const,
    callback_id: 'form',
    title: plain(title),
    submit: plain('Send'),
    blocks: [
      { type: 'input', block_id: 'in', label: plain('Say'), element: { type: 'plain_text_input', action_id: 'text' } },
    ] as never[],
    ...more,
  });
  const closed: boolean[] = [];
  await using world = await boltOn(mode, {}, (app) => {
    app.action('open', async ({ ack, body, client }) => {
      await ack();
      if (body.type === 'block_actions') {
        await client.views.open({ trigger_id: body.trigger_id, view: view('First', { notify_on_close: true }) });
      }
    });
    app.view('form', async ({ ack, view: { state } }) => {
      const text = state.values.in?.text?.value;
      if (text === 'wrong') await ack({ response_action: 'errors', errors: { in: 'Not that.' } });
      else if (text === 'nowhere') await ack({ response_action: 'errors', errors: { other: 'x' } });
      else if (text === 'update')
        await ack({ response_action: 'update', view: view('Second', { notify_on_close: true }) });
      else if (text === 'push') await ack({ response_action: 'push', view: view('Third') });
      else if (text === 'clear') await ack({ response_action: 'clear' });
      else await ack();
    });
    app.view({ callback_id: 'form', type: 'view_closed' }, async ({ ack, body }) => {
      await ack();
      closed.push('is_cleared' in body && body.is_cleared === true);
    });
  });
  const { slack } = world;
  const { ts } = (await clientOf(slack).chat.postMessage({
    channel: general,
    text: 'c',
    blocks: [section('c', { accessory: button('open') })] as never,
  })) as { ts: string };
  const open = async () => {
    await click(slack, ts, 'open');
    return slack.wait((state) => state.views[0], { what: 'a modal' });
  };
  const submit = (viewId: string, value: string) =>
    slack.do({
      as: mara,
      do: 'submit_view',
      view: viewId,
      state: { in: { text: { type: 'plain_text_input', value } } } as StateValues,
    });
  const top = () => slack.state().views.at(-1);

  const first = await open();
  expect(await submit(first.id, '')).toEqual({ ok: false, error: 'invalid_input' });
  expect(top()?.errors).toEqual({ in: 'Please complete this required field.' });
  expect(await submit(first.id, 'wrong')).toMatchObject({ ok: true });
  expect(top()?.errors).toEqual({ in: 'Not that.' });
  expect(await submit(first.id, 'nowhere')).toEqual({ ok: false, error: 'invalid_response' });
  expect(top()?.trouble).toContain('trouble');
  await submit(first.id, 'update');
  expect(top()).toMatchObject({ id: first.id, depth: 0, view: { title: { text: 'Second' } } });
  expect(top()?.hash).not.toBe(first.hash);
  await submit(first.id, 'push');
  expect(slack.state().views.map((entry) => entry.depth)).toEqual([0, 1]);
  await submit(top()?.id ?? '', 'clear');
  expect(slack.state().views).toEqual([]);

  const again = await open();
  expect(await slack.do({ as: tomas, do: 'close_view', view: again.id })).toMatchObject({ ok: false });
  expect(await slack.do({ as: mara, do: 'close_view', view: again.id })).toEqual({ ok: true });
  await expect.poll(() => closed).toEqual([false]);
  expect(warnings(slack).filter((line) => line.includes('no input block'))).toHaveLength(1);
});

test.for(modes)('%s: an ephemeral message is one person’s, and only its response_url changes it', async (mode) => {
  await using world = await boltOn(mode, {}, (app) => {
    app.action('hide', async ({ ack, respond, body }) => {
      await ack();
      expect('message' in body).toBe(false);
      await respond({ text: 'replaced', replace_original: true });
      await respond({ delete_original: true } as never);
      await respond({ text: 'shown', response_type: 'in_channel' });
    });
  });
  const { slack } = world;
  const { message_ts: ts } = await clientOf(slack).chat.postEphemeral({
    channel: general,
    user: mara,
    text: 'only you',
    blocks: [section('x', { accessory: button('hide') })] as never,
  });
  const texts: string[] = [];
  slack.subscribe((update) => update.type === 'message' && texts.push(update.message.text));
  expect(await click(slack, ts as string, 'hide', { as: tomas })).toEqual({ ok: false, error: 'message_not_found' });
  expect(await click(slack, ts as string, 'hide')).toEqual({ ok: true });
  await posted(slack, 'shown');
  expect(texts).toEqual(['replaced', 'shown']);
  expect(slack.state().messages.map((message) => message.text)).toEqual(['shown']);
  const update = clientOf(slack).chat.update({ channel: general, ts: ts as string, text: 'x' });
  expect(await refusalOf(update)).toMatchObject({ error: 'message_not_found' });
});

test.for(modes)('%s: a click without an ack is loud, and the person sees it', async (mode) => {
  await using world = await boltOn(mode, { windows: { ack: 150 } }, (app) => {
    app.action('never', async () => {});
  });
  const { ts } = (await clientOf(world.slack).chat.postMessage({
    channel: general,
    text: 'c',
    blocks: [section('c', { accessory: button('never') })] as never,
  })) as { ts: string };
  expect(await click(world.slack, ts, 'never')).toMatchObject({ ok: false, error: expect.stringContaining('no_ack') });
  expect(warnings(world.slack)).toEqual([expect.stringContaining('No ack')]);
});

test('socket: an event without an ack comes three times more, told as retries', async () => {
  const retries: unknown[] = [];
  await using slackWorld = await boltOn('socket', { windows: { ack: 100, retries: [0, 50, 50] } }, (app) => {
    const receive = app.processEvent.bind(app);
    app.processEvent = async (event) => {
      retries.push([event.retryNum, event.retryReason]);
      if (retries.length === 4) await receive(event);
    };
  });
  await say(slackWorld.slack, 'hi');
  await slackWorld.slack.wait((state) => state.traffic.some((line) => line.title === 'message (retry 3)' && line.ok), {
    what: 'the third retry',
  });
  expect(retries).toEqual([
    [0, ''],
    [1, 'timeout'],
    [2, 'timeout'],
    [3, 'timeout'],
  ]);
});

test('http: an event comes again with its headers when the bot refuses, and not when it says so', async () => {
  const { createServer } = await import('node:http');
  const seen: unknown[] = [];
  let noRetry = false;
  const server = createServer((request, response) => {
    seen.push([request.headers['x-slack-retry-num'], request.headers['x-slack-retry-reason']]);
    response.writeHead(500, noRetry ? { 'x-slack-no-retry': '1' } : {}).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const { startPlayground } = await import('../../src/playground/server.ts');
  await using slack = await startPlayground({
    mode: 'http',
    eventsUrl: `http://127.0.0.1:${port}/x`,
    windows: { retries: [0, 20, 20] },
  });
  await say(slack, 'one');
  await slack.wait((state) => state.traffic.some((line) => line.warning?.includes('It is lost')), {
    what: 'giving up',
  });
  expect(seen).toEqual([
    [undefined, undefined],
    ['1', 'http_error'],
    ['2', 'http_error'],
    ['3', 'http_error'],
  ]);
  noRetry = true;
  await say(slack, 'two');
  await slack.wait((state) => state.traffic.filter((line) => line.warning?.includes('It is lost')).length === 2, {
    what: 'giving up at once',
  });
  expect(seen).toHaveLength(5);
  server.closeAllConnections();
  server.close();
});

test('two sockets: each event goes to one of them; when one dies unacked, the other gets it', async () => {
  const seen: string[] = [];
  const setup = (name: string) => (app: Parameters<Parameters<typeof startSocket>[1]>[0]) => {
    app.message(async ({ message }) => void seen.push(`${name} ${'text' in message ? message.text : ''}`));
  };
  await using world = await boltOn('socket', {}, setup('one'));
  const second = await startSocket(world.slack, setup('two'));
  for (let index = 0; index < 6; index += 1) await say(world.slack, `m${index}`);
  await expect.poll(() => seen.length).toBe(6);
  expect(new Set(seen.map((line) => line.split(' ')[1])).size).toBe(6);
  expect(new Set(seen.map((line) => line.split(' ')[0]))).toEqual(new Set(['one', 'two']));

  // Held before Bolt: neither acks; then one of the sockets breaks.
  const held: { resolve(): void }[] = [];
  for (const app of [world.app, second]) {
    const receive = app.processEvent.bind(app);
    app.processEvent = async (event) => {
      if (event.retryNum) return receive(event);
      await new Promise<void>((resolve) => held.push({ resolve }));
    };
  }
  await say(world.slack, 'torn');
  await expect.poll(() => held.length).toBe(1);
  await world.slack.do({ as: mara, do: 'disconnect', abrupt: true });
  await expect.poll(() => seen.filter((line) => line.endsWith('torn')).length).toBe(1);
  await second.stop();
});

test('a socket that is asked to leave comes back, and nothing said meanwhile is lost', async () => {
  const seen: string[] = [];
  await using world = await boltOn('socket', {}, (app) => {
    app.message(async ({ message }) => void seen.push('text' in message ? (message.text ?? '') : ''));
  });
  await world.slack.do({ as: mara, do: 'disconnect', abrupt: false });
  await say(world.slack, 'in the gap');
  expect(world.slack.state().bot.sockets).toBe(0);
  await expect.poll(() => seen).toEqual(['in the gap']);
});

test('a real ChatStreamer streams, and its message ends as what was said', async () => {
  await using world = await boltOn('socket', {}, () => {});
  const { slack } = world;
  const { ts: thread_ts } = await say(slack, 'root');
  const streamer = clientOf(slack).chatStream({
    channel: general,
    thread_ts: thread_ts as string,
    recipient_team_id: slack.state().team.id,
    recipient_user_id: mara,
    buffer_size: 1,
  });
  await streamer.append({ markdown_text: 'Hello ' });
  await slack.wait((state) => state.messages.find((message) => message.streaming), { what: 'a stream' });
  await streamer.append({ markdown_text: '**you**' });
  const stopped = await streamer.stop({ metadata: { event_type: 'reply', event_payload: { id: 'r1' } } });
  const message = slack.state().messages.find((entry) => entry.ts === stopped.ts);
  expect(message).toMatchObject({ text: 'Hello **you**', metadata: { event_payload: { id: 'r1' } } });
  expect(message?.streaming).toBeUndefined();
  expect(
    slack
      .calls()
      .map((call) => call.method)
      .filter((method) => method.includes('Stream')),
  ).toEqual(['chat.startStream', 'chat.appendStream', 'chat.stopStream']);
});
