import type { JsonObject } from '../json.ts';
import type { Json } from '../protocol.ts';
import { checkBlocks, checkMessage, checkView } from '../validator/payloads.ts';
import { type Answer, type Methods, refuse } from './method.ts';

/** The public validator: exactly one of blocks, message, view; pointers are relative to what was sent. */
function validate(args: JsonObject): Answer {
  const given = (['blocks', 'message', 'view'] as const).filter((name) => args[name] !== undefined);
  const [name] = given;
  if (given.length !== 1 || name === undefined) {
    return refuse('invalid_arguments', {
      response_metadata: { messages: ['[ERROR] must provide exactly one of `blocks`, `message` or `view`'] },
    });
  }
  const value = args[name] as Json;
  const problems =
    name === 'blocks'
      ? checkBlocks(value, '')
      : name === 'view'
        ? checkView(value, '')
        : checkMessage(value as JsonObject);
  if (problems.length === 0) return { ok: true };
  return refuse(`invalid_${name}`, { errors: problems as Json });
}

export const appMethods: Methods = {
  'auth.test': {
    token: 'bot',
    tier: 'special',
    scopes: [],
    args: {},
    run(_args, { ws }) {
      return {
        ok: true,
        url: `${ws.origin()}/`,
        team: ws.team.name,
        user: ws.users.get(ws.app.botUser)?.name ?? ws.app.name,
        team_id: ws.team.id,
        user_id: ws.app.botUser,
        bot_id: ws.app.botId,
        is_enterprise_install: false,
      };
    },
  },
  'api.test': {
    token: 'none',
    tier: 'special',
    scopes: [],
    args: { error: 'string', foo: 'string' },
    run: (args) => (typeof args.error === 'string' ? refuse(args.error, { args }) : { ok: true, args }),
  },
  'apps.connections.open': {
    token: 'app',
    tier: 3,
    scopes: [],
    args: {},
    run(_args, { ws, sockets, warn }) {
      if (!sockets) {
        warn('apps.connections.open', 'This workspace delivers over HTTP: start the bot without SLACK_APP_TOKEN.');
        return refuse('socket_mode_disabled');
      }
      const address = ws.origin().replace('http', 'ws');
      return { ok: true, url: `${address}/link/?ticket=${sockets.ticket()}&app_id=${ws.app.id}` };
    },
  },
  'blocks.validate': {
    token: 'none',
    tier: 3,
    scopes: [],
    args: { blocks: 'json', message: 'json', view: 'json' },
    recent: true,
    run: validate,
  },
};
