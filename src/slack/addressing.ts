/**
 * Whom a question is put to: people whom the requester mentioned, or names of the operator's list; in the channel, and such as may
 * use the bot. Who was named alone and may not be asked is refused, for to leave them out would be a guess; of a group, those who
 * may are asked. What Slack does not say is asked again later.
 */
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { Addressed, AddressRequest } from '../thread/addressees-port.ts';
import { mayNotUse, type Policy } from '../thread/policy.ts';
import type { NotAllowed } from '../thread/ports.ts';
import type { Directory } from './directory.ts';
import { threadParts } from './ids.ts';
import type { Log } from './log.ts';
import { failureOf, slackErrorCode } from './web-api-error.ts';

/** A name of the operator's list, and the people and user groups behind it. */
export type AskListEntry = { name: string; ids: readonly string[] };

/** People of one question: a card has to name them all. */
const MOST_ASKED = 20;
/** People who are looked up for one question, and at once. */
const MOST_SOUGHT = 60;
const AT_ONCE = 5;
/** Members of a channel are read in pages; in a larger one nobody can be told to be there. */
const PAGE = 1_000;
const MOST_PAGES = 20;

export type AddressingParts = {
  client: Pick<WebClient, 'conversations' | 'usergroups'>;
  directory: Pick<Directory, 'seek'>;
  policy: Policy;
  list: readonly AskListEntry[];
  log: Log;
};

/** Why the question cannot be asked, in a sentence for the model. */
class Refusal extends Error {}

/** What of Slack's answers says who may be asked: an answer without it says nothing, and not that there is nobody. */
const groupSchema = z.object({ users: z.array(z.string()) });
const channelSchema = z.object({
  members: z.array(z.string()),
  response_metadata: z.object({ next_cursor: z.string().optional() }).optional(),
});

/** Somebody who may be asked if all is well. `named`: by themselves, so that nobody else stands for them. */
type Candidate = { id: string; named: boolean };

export function createAddressing({ client, directory, policy, list, log }: AddressingParts) {
  /** A look-up: what is refused for good ends it, with a word to the operator about what the app may not do. */
  async function asking<T>(what: string, call: () => Promise<T>, refusals: Record<string, string> = {}): Promise<T> {
    try {
      return await call();
    } catch (error) {
      const { error: kind, reason } = failureOf(error);
      if (kind === 'later' || kind === 'ambiguous') throw error;
      const code = slackErrorCode(error) ?? '';
      const known = refusals[code];
      if (known !== undefined) throw new Refusal(known);
      log.error({ what, reason }, 'Slack does not let us look whom to ask: the scopes of manifest.yml may be missing');
      throw new Refusal(`Nobody else can be asked here: Slack did not let me look up ${what} (${code})`);
    }
  }

  function candidatesOf(to: string, { requester, named }: AddressRequest): { ids: readonly string[]; one: boolean } {
    const id = idIn(to);
    if (id === requester || (id !== undefined && named.includes(id))) return { ids: [id], one: !isGroup(id) };
    const entry = list.find(({ name }) => fold(name) === fold(to));
    if (entry) return { ids: entry.ids, one: false };
    const names = list.map(({ name }) => JSON.stringify(name)).join(', ');
    throw new Refusal(
      `${JSON.stringify(to)} is nobody whom the person you work for mentioned in this thread` +
        `${names === '' ? '' : `, and none of the names ${names}`}. Give a mention as it stands in their message, ` +
        'such as <@U…>, or leave "to" out and ask the person you work for',
    );
  }

  async function expanded(id: string): Promise<readonly string[]> {
    if (!isGroup(id)) return [id];
    const answer = await asking('a user group', () => client.usergroups.users.list({ usergroup: id }), {
      no_such_subteam: `There is no user group ${id}`,
      plan_upgrade_required: 'This workspace has no user groups',
    });
    return groupSchema.parse(answer).users;
  }

  async function candidates(request: AddressRequest): Promise<Candidate[]> {
    const found = new Map<string, Candidate>();
    for (const { ids, one } of request.to.map((to) => candidatesOf(to, request))) {
      for (const group of ids) {
        for (const id of await expanded(group)) found.set(id, { id, named: one || found.get(id)?.named === true });
      }
    }
    if (found.size > MOST_SOUGHT) throw new Refusal(`These are ${found.size} people, too many to be asked. Name fewer`);
    return [...found.values()];
  }

  /** Those of the people who are in the channel. */
  async function membersAmong(channel: string, people: readonly string[]): Promise<Set<string>> {
    const found = new Set<string>();
    let cursor: string | undefined;
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const next = cursor === undefined ? {} : { cursor };
      const answer = channelSchema.parse(
        await asking('who is in this channel', () => client.conversations.members({ channel, limit: PAGE, ...next })),
      );
      for (const member of answer.members) if (people.includes(member)) found.add(member);
      cursor = answer.response_metadata?.next_cursor || undefined;
      if (found.size === people.length || cursor === undefined) return found;
    }
    return found;
  }

  /** undefined: they may be asked. */
  async function obstacle(id: string, channel: string): Promise<string | undefined> {
    const person = await asking('a person', () => directory.seek(id));
    if (!person) return 'is not an active person of this workspace';
    const reason = mayNotUse(policy, person, channel);
    return reason && OBSTACLES[reason];
  }

  /** By id; who is not there may be asked. */
  async function obstaclesOf(people: readonly string[], channel: string): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    if (people.length === 0) return found;
    const members = await membersAmong(channel, people);
    for (let start = 0; start < people.length; start += AT_ONCE) {
      const some = people.slice(start, start + AT_ONCE).map(async (id) => {
        const why = members.has(id) ? await obstacle(id, channel) : 'is not in this channel';
        if (why !== undefined) found.set(id, why);
      });
      await Promise.all(some);
    }
    return found;
  }

  async function find(request: AddressRequest): Promise<string[]> {
    const { channel } = threadParts(request.thread);
    const all = await candidates(request);
    const others = all.filter(({ id }) => id !== request.requester);
    if (others.length > 0 && channel.startsWith('D')) {
      throw new Refusal('This is a direct message, in which nobody else can be asked. That takes a channel');
    }
    const ids = others.map(({ id }) => id);
    const obstacles = await obstaclesOf(ids, channel);
    const refused = others.find(({ id, named }) => named && obstacles.has(id));
    if (refused) throw new Refusal(`<@${refused.id}> cannot be asked: ${obstacles.get(refused.id)}`);
    const asked = all.filter(({ id }) => !obstacles.has(id));
    if (asked.length === 0) throw new Refusal('None of these people can be asked here: they must be in this channel');
    if (asked.length > MOST_ASKED) {
      throw new Refusal(`These are ${asked.length} people; at most ${MOST_ASKED} can be asked. Name fewer`);
    }
    return asked.map(({ id }) => id);
  }

  return async (request: AddressRequest): Promise<Addressed> => {
    try {
      return { status: 'found', people: await find(request) };
    } catch (error) {
      if (error instanceof Refusal) return { status: 'refused', reason: `${error.message}.` };
      if (error instanceof z.ZodError) {
        const at = error.issues.map(({ path }) => path.join('.')).join(', ');
        return { status: 'later', reason: `an answer of Slack’s that is not readable: ${at}`, unreadable: true };
      }
      const failure = failureOf(error);
      const after = failure.error === 'later' ? { retryAfter: failure.retryAfter } : {};
      return { status: 'later', reason: failure.reason, ...after };
    }
  };
}

const OBSTACLES: Readonly<Record<NotAllowed, string>> = {
  guest: 'is a guest, and guests may not use me',
  external: 'belongs to another organisation, whose people may not use me',
  unknown_person: 'is not known to Slack as a member of this workspace',
  user_not_listed: 'is not among the people who may use me',
  channel_not_listed: 'could not be asked in this channel',
  not_requester: 'may not answer',
  not_asked: 'may not answer',
  not_participant: 'may not answer',
};

/** The id of a person or a user group in what a model wrote: a mention, also with a name before it, or the id alone. */
function idIn(to: string): string | undefined {
  return (
    /^@?([USW][A-Z0-9]{2,})$/.exec(to)?.[1] ??
    /^[^<>]*<(?:@|!subteam\^)([USW][A-Z0-9]{2,})(?:\|[^<>]*)?>\)?$/.exec(to)?.[1]
  );
}

const isGroup = (id: string): boolean => id.startsWith('S');
const fold = (name: string): string => name.normalize('NFKC').replace(/^@/, '').trim().toLowerCase();
