import { stringOr } from '../json.ts';
import { type Methods, refuse } from './method.ts';

export const userGroupMethods: Methods = {
  'usergroups.users.list': {
    token: 'bot',
    tier: 2,
    scopes: ['usergroups:read'],
    args: { usergroup: 'string', include_disabled: 'boolean', team_id: 'string' },
    required: ['usergroup'],
    run(args, { ws }) {
      const group = ws.userGroups.find(({ id }) => id === stringOr(args.usergroup));
      return group ? { ok: true, users: group.users } : refuse('no_such_subteam');
    },
  },
};
