import { expect, test } from 'vitest';
import { startPlayground } from '../../src/playground/server.ts';
import { mara } from './bolt-app.ts';

/** A bot that connects by Socket Mode with nothing but what it is given, and ends when it is asked to. */
const connects = `
  const open = await fetch(process.env.SLACK_API_URL + 'apps.connections.open', {
    method: 'POST', headers: { authorization: 'Bearer ' + process.env.SLACK_APP_TOKEN },
  });
  const socket = new WebSocket((await open.json()).url);
  socket.onmessage = () => console.log('up ' + process.env.MINE);
  process.on('SIGTERM', () => { console.log('leaving'); process.exit(0); });
  setInterval(() => {}, 1000);
`;
const node = (script: string) => ({
  command: process.execPath,
  args: ['--input-type=module', '-e', script],
  env: { MINE: 'mine' },
});

test('the bot starts, stops when asked, starts again, and is killed', async () => {
  await using slack = await startPlayground({ bot: { ...node(connects), model: 'none' } });
  const is = (state: string) => slack.wait(({ bot }) => bot.state === state && bot, { what: `the bot ${state}` });
  const command = (name: 'start' | 'stop' | 'kill') => slack.do({ as: mara, do: 'bot', command: name });
  const first = await is('running');
  expect(first).toMatchObject({ pid: expect.any(Number), sockets: 1, model: 'none' });
  await slack.wait(({ bot }) => bot.log.includes('up mine'), { what: 'its log' });
  await command('stop');
  expect(slack.state().bot.state).toBe('stopped');
  expect(slack.state().bot.log).toContain('leaving');
  await command('start');
  const second = await is('running');
  expect(second.pid).not.toBe(first.pid);
  await command('kill');
  expect(slack.state().bot).toMatchObject({ state: 'killed' });
  await slack.wait(({ bot }) => bot.sockets === 0, { what: 'the end of its socket' });
  expect(slack.state().bot.log.at(-1)).toContain('SIGKILL');
});

test.for([
  ['ends with an error', node('console.error("no luck"); process.exit(3)'), 'no luck'],
  ['cannot be started', { command: '/nowhere/node', args: [] }, 'could not be started'],
] as const)('a bot that %s has crashed, and its log says why', async ([, bot, line]) => {
  await using slack = await startPlayground({ bot: { ...bot, args: [...bot.args] } });
  const crashed = await slack.wait((state) => state.bot.state === 'crashed' && state.bot, { what: 'a crash' });
  expect(crashed.log.join('\n')).toContain(line);
});

test('in HTTP mode the bot is up when it answers Slack’s check of its URL', async () => {
  const answers = `
    import { createServer } from 'node:http';
    createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => { body += chunk; });
      request.on('end', () => response.end(JSON.parse(body).challenge));
    }).listen(process.env.PORT, process.env.HOST);
  `;
  await using slack = await startPlayground({ mode: 'http', bot: node(answers) });
  await slack.wait((state) => state.bot.state === 'running', { what: 'the bot' });
});
