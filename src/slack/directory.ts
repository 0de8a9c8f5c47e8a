/** Who someone is to this workspace, as Slack knows them: the standing that the policy judges by, their language, name and time zone. */
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { Clock, Person, Profile } from '../thread/ports.ts';
import type { Log } from './log.ts';
import { failureOf, slackErrorCode } from './web-api-error.ts';
import { type Language, languageOf } from './words/language.ts';

/** ms that an answer of Slack is believed. Someone who becomes a guest is one for us after this at the latest. */
const FRESH = 10 * 60_000;
/** ms that it still is while Slack cannot be asked: its bad quarter of an hour must not shut out who was a member before. */
const STALE = 24 * 3_600_000;
/** ms that a lookup may take: a click must be answered within three seconds. */
const PATIENCE = 1_500;
/** ms for who wrote a message: it needs no view to be made of it, and not to be in time costs another sending. */
const PATIENCE_FOR_WRITER = 2_500;
/** ms that a post waits to be in the right language. */
const PATIENCE_FOR_LANGUAGE = 500;
const MOST = 5_000;

const userSchema = z.object({
  team_id: z.string().optional(),
  deleted: z.boolean().optional(),
  is_bot: z.boolean().optional(),
  is_restricted: z.boolean().optional(),
  is_ultra_restricted: z.boolean().optional(),
  is_stranger: z.boolean().optional(),
  /** Within an organisation of several workspaces: those that the person is in, beside the one that `team_id` names. */
  enterprise_user: z
    .object({ teams: z.array(z.string()).optional() })
    .optional()
    .catch(undefined),
  locale: z.string().optional().catch(undefined),
  name: z.string().optional().catch(undefined),
  real_name: z.string().optional().catch(undefined),
  profile: z
    .object({ real_name: z.string().optional(), display_name: z.string().optional() })
    .optional()
    .catch(undefined),
  tz: z.string().optional().catch(undefined),
});
type User = z.infer<typeof userSchema>;

const LONGEST_NAME = 80;

export type Directory = {
  /** Never rejects: who cannot be looked up in time is who they were within a day, else `unknown`, and is looked up the next time. */
  person(id: string): Promise<Person>;
  /** Of a message's writer, as `person`; undefined in place of `unknown` where Slack did not answer in time, or not with a yes or no: asked again it may. */
  known(id: string): Promise<Person | undefined>;
  /** As Slack has them at this moment; undefined: nobody, or nobody any more, or a bot. Rejects when Slack cannot be asked. */
  seek(id: string): Promise<Person | undefined>;
  /** Never rejects and takes half a second at most: English for who is not known by then. What was known once will do. */
  language(id: string): Promise<Language>;
  /** As `person`, and as long: who cannot be looked up in time has no name. Bots have one too. */
  profile(id: string): Promise<Profile>;
};

export type DirectoryParts = { client: Pick<WebClient, 'users'>; team: string; clock: Clock; log: Log };

/** `active`: a person, and still here. */
type Known = { standing: Person['standing']; active: boolean; language: Language; profile: Profile };

const STRANGER: Known = { standing: 'unknown', active: true, language: 'en', profile: {} };

export function createDirectory({ client, team, clock, log }: DirectoryParts): Directory {
  /** In order of insertion: the oldest leave first. */
  const known = new Map<string, Known & { at: number }>();
  const asking = new Map<string, Promise<Known | undefined>>();

  async function lookUp(id: string): Promise<Known> {
    const { user } = await client.users.info({ user: id, include_locale: true });
    return remember(id, knownOf(user, team));
  }

  async function ask(id: string): Promise<Known | undefined> {
    try {
      return await lookUp(id);
    } catch (error) {
      if (isNobody(error)) return remember(id, STRANGER);
      const { error: kind, reason } = failureOf(error);
      const entry = lastKnown(id) ?? (kind === 'later' || kind === 'ambiguous' ? undefined : STRANGER);
      log.warn({ person: id, reason, standing: entry?.standing ?? 'unknown' }, 'a person cannot be looked up now');
      return entry;
    }
  }

  function lastKnown(id: string): Known | undefined {
    const seen = known.get(id);
    return seen && clock.now() - seen.at < STALE ? seen : undefined;
  }

  function remember(id: string, entry: Known): Known {
    known.delete(id);
    known.set(id, { ...entry, at: clock.now() });
    const [oldest] = known.keys();
    if (known.size > MOST && oldest !== undefined) known.delete(oldest);
    return entry;
  }

  function joined(id: string): Promise<Known | undefined> {
    const running = asking.get(id) ?? ask(id).finally(() => asking.delete(id));
    asking.set(id, running);
    return running;
  }

  async function askedFor(id: string, patience: number): Promise<Known | undefined> {
    const enough = new AbortController();
    const entry = await Promise.race([joined(id), clock.sleep(patience, enough.signal).then(() => lastKnown(id))]);
    enough.abort('in time'); // with a reason: without one, each costs an exception with its stack
    return entry;
  }

  async function current(id: string, patience = PATIENCE): Promise<Known | undefined> {
    const seen = known.get(id);
    return seen && clock.now() - seen.at < FRESH ? seen : askedFor(id, patience);
  }

  return {
    async person(id) {
      const { standing } = (await current(id)) ?? STRANGER;
      return { id, standing };
    },
    async known(id) {
      const entry = await current(id, PATIENCE_FOR_WRITER);
      return entry && { id, standing: entry.standing };
    },
    async profile(id) {
      return ((await current(id)) ?? STRANGER).profile;
    },
    async seek(id) {
      if (id === 'USLACKBOT') return undefined;
      try {
        const { active, standing } = await lookUp(id);
        return active ? { id, standing } : undefined;
      } catch (error) {
        if (isNobody(error)) return undefined;
        throw error;
      }
    },
    async language(id) {
      return (known.get(id) ?? (await askedFor(id, PATIENCE_FOR_LANGUAGE)) ?? STRANGER).language;
    },
  };
}

function isNobody(error: unknown): boolean {
  const code = slackErrorCode(error);
  return code === 'user_not_found' || code === 'user_not_visible';
}

function knownOf(user: unknown, team: string): Known {
  const { success, data } = userSchema.safeParse(user);
  if (!success) return STRANGER;
  return {
    standing: standingOf(data, team),
    active: isActive(data),
    language: languageOf(data.locale),
    profile: profileOf(data),
  };
}

function profileOf({ profile, real_name, name: handle, tz }: User): Profile {
  const names = [profile?.real_name, real_name, profile?.display_name, handle];
  const name = names.map((given) => plainName(given ?? '')).find((given) => given !== '');
  return { ...(name !== undefined && { name }), ...(isTimeZone(tz) && { timeZone: tz }) };
}

/** A name in one line, without what would make it pass for a mention or for a note of ours: people choose their names. */
export function plainName(name: string): string {
  return name
    .replace(/[<>[\]\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, LONGEST_NAME)
    .toWellFormed();
}

function isTimeZone(tz: string | undefined): tz is string {
  try {
    return tz !== undefined && tz !== '' && new Intl.DateTimeFormat('en', { timeZone: tz }) !== undefined;
  } catch {
    return false;
  }
}

function isActive({ deleted, is_bot }: User): boolean {
  return !deleted && !is_bot;
}

function standingOf(user: User, team: string): Person['standing'] {
  if (!isActive(user)) return 'unknown';
  const teams = [...(user.enterprise_user?.teams ?? []), ...(user.team_id === undefined ? [] : [user.team_id])];
  if (user.is_stranger || (teams.length > 0 && !teams.includes(team))) return 'external';
  return user.is_restricted || user.is_ultra_restricted ? 'guest' : 'member';
}
