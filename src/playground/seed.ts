import type { PlaygroundChannel, PlaygroundUser, PlaygroundUserGroup } from './protocol.ts';
import type { WorkspaceSeed } from './workspace.ts';

/** The workspace that the playground opens with. The ids are fixed, so that tests and a demo script can name them. */
export const team = { id: 'T0HARBOR01', name: 'Harbourside Books', domain: 'harbourside-books' };
export const otherTeam = 'T0PRESS002';
export const app = { id: 'A0ASKBACK1', botId: 'B0ASKBACK1', botUser: 'U0ASKBACK1' };

const person = (id: string, name: string, realName: string, color: string, more: Partial<PlaygroundUser> = {}) => ({
  id,
  name,
  realName,
  color,
  tz: 'Europe/London',
  locale: 'en-GB',
  ...more,
});

function seedPeople(): PlaygroundUser[] {
  return [
    person('U0MARA0001', 'mara', 'Mara Lindqvist', '#8a4f7d', { tz: 'Europe/Stockholm', locale: 'en-GB' }),
    person('U0TOMAS001', 'tomas', 'Tomás Ferreira', '#2f6f62', { tz: 'Europe/Lisbon', locale: 'pt-PT' }),
    person('U0IMANI001', 'imani', 'Imani Okafor', '#b3541e'),
    person('U0MEIHUA01', 'meihua', 'Lin Mei-hua 林美華', '#7d5ba6', { tz: 'Asia/Taipei', locale: 'zh-TW' }),
    person('U0GUEST001', 'jun', 'Jun (guest)', '#4c6a92', { isGuest: true, tz: 'Asia/Tokyo', locale: 'ja-JP' }),
    person('U0OTHER001', 'petra', 'Petra Novak (Blue Press)', '#7a6a2b', { team: otherTeam, tz: 'Europe/Prague' }),
    person('U0DEPLOY01', 'shipbot', 'Shipbot', '#5b5b66', { isBot: true }),
  ];
}

function seedChannels(): PlaygroundChannel[] {
  const staff = ['U0MARA0001', 'U0TOMAS001', 'U0IMANI001', 'U0MEIHUA01'];
  return [
    {
      id: 'C0GENERAL1',
      name: 'general',
      kind: 'channel',
      members: [...staff, 'U0GUEST001', 'U0DEPLOY01', app.botUser],
      topic: 'Everyone, everything',
    },
    {
      id: 'C0DEPLOYS1',
      name: 'deployments',
      kind: 'channel',
      members: [...staff, 'U0OTHER001', 'U0DEPLOY01', app.botUser],
      topic: 'What goes out, and when',
    },
    { id: 'C0PRIVATE1', name: 'accounts', kind: 'private', members: ['U0MARA0001', 'U0IMANI001', app.botUser] },
    { id: 'C0NOBOT001', name: 'random', kind: 'channel', members: staff, topic: 'The bot is not here' },
    { id: 'D0MARA0001', name: 'U0MARA0001', kind: 'dm', members: ['U0MARA0001', app.botUser] },
    { id: 'D0TOMAS001', name: 'U0TOMAS001', kind: 'dm', members: ['U0TOMAS001', app.botUser] },
  ];
}

function seedUserGroups(): PlaygroundUserGroup[] {
  return [
    { id: 'S0OPS00001', handle: 'ops', name: 'Operations', users: ['U0TOMAS001', 'U0IMANI001', 'U0OTHER001'] },
    { id: 'S0GUESTS01', handle: 'visitors', name: 'Visitors', users: ['U0GUEST001', 'U0OTHER001'] },
  ];
}

/** That workspace, with more people (who are in its open channels) and more channels. */
export function workspaceSeed(
  { people = [], channels: more = [] }: { people?: PlaygroundUser[]; channels?: PlaygroundChannel[] },
  manifest: { name: string; botName: string },
  origin: () => string,
): WorkspaceSeed {
  const users = new Map([...seedPeople(), ...people].map((user) => [user.id, user]));
  users.set(app.botUser, {
    id: app.botUser,
    name: manifest.botName,
    realName: manifest.name,
    color: '#1f6feb',
    tz: 'Europe/London',
    locale: 'en-US',
    isBot: true,
  });
  const channels = seedChannels();
  for (const channel of channels) {
    if (channel.kind !== 'channel') continue;
    channel.members = [...new Set([...channel.members, ...people.map((user) => user.id)])];
  }
  return {
    team,
    app: { ...app, name: manifest.name },
    users: [...users.values()],
    channels: [...channels, ...more],
    userGroups: seedUserGroups(),
    origin,
  };
}
