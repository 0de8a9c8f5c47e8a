import { stringOr } from '../json.ts';
import { wireUser } from '../wire.ts';
import { type Methods, refuse } from './method.ts';

export const userMethods: Methods = {
  'users.info': {
    token: 'bot',
    tier: 4,
    scopes: ['users:read'],
    args: { user: 'string', include_locale: 'boolean' },
    required: ['user'],
    run(args, { ws }) {
      const user = ws.users.get(stringOr(args.user));
      return user
        ? { ok: true, user: wireUser(ws, user, { locale: args.include_locale === true }) }
        : refuse('user_not_found');
    },
  },
  'users.list': {
    token: 'bot',
    tier: 2,
    scopes: ['users:read'],
    args: { cursor: 'string', limit: 'number', include_locale: 'boolean' },
    run(args, { ws }) {
      const locale = args.include_locale === true;
      return {
        ok: true,
        members: [...ws.users.values()].map((user) => wireUser(ws, user, { locale })),
        cache_ts: 0,
        response_metadata: { next_cursor: '' },
      };
    },
  },
};
