/** Who someone is to this workspace, as Slack knows them: the standing that the policy judges by, and their language. */
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { Clock, Person } from '../thread/ports.ts';
import type { Log } from './log.ts';
import { failureOf, slackErrorCode } from './web-api-error.ts';
import { type Language, languageOf } from './words/language.ts';

/** ms that an answer of Slack is believed. Someone who becomes a guest is one for us after this at the latest. */
const FRESH = 10 * 60_000;
/** ms that it still is while Slack cannot be asked: its bad quarter of an hour must not shut out who was a member before. */
const STALE = 24 * 3_600_000;
/** ms that a lookup may take: a click must be answered within three seconds. */
const PATIENCE = 1_500;
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
});

export type Directory = {
  /** Never rejects: who cannot be looked up in time is who they were within a day, else `unknown`, and is looked up the next time. */
  person(id: string): Promise<Person>;
  /** Never rejects and takes half a second at most: English for who is not known by then. What was known once will do. */
  language(id: string): Promise<Language>;
};

export type DirectoryParts = { client: Pick<WebClient, 'users'>; team: string; clock: Clock; log: Log };

type Profile = { standing: Person['standing']; language: Language };

const STRANGER: Profile = { standing: 'unknown', language: 'en' };

export function createDirectory({ client, team, clock, log }: DirectoryParts): Directory {
  /** In order of insertion: the oldest leave first. */
  const known = new Map<string, Profile & { at: number }>();
  const asking = new Map<string, Promise<Profile>>();

  async function ask(id: string): Promise<Profile> {
    try {
      const { user } = await client.users.info({ user: id, include_locale: true });
      return remember(id, profileOf(user, team));
    } catch (error) {
      const code = slackErrorCode(error);
      if (code === 'user_not_found' || code === 'user_not_visible') return remember(id, STRANGER);
      const profile = lastKnown(id);
      const { standing } = profile;
      log.warn({ person: id, reason: failureOf(error).reason, standing }, 'a person cannot be looked up now');
      return profile;
    }
  }

  function lastKnown(id: string): Profile {
    const seen = known.get(id);
    return seen && clock.now() - seen.at < STALE ? seen : STRANGER;
  }

  function remember(id: string, profile: Profile): Profile {
    known.delete(id);
    known.set(id, { ...profile, at: clock.now() });
    const [oldest] = known.keys();
    if (known.size > MOST && oldest !== undefined) known.delete(oldest);
    return profile;
  }

  function joined(id: string): Promise<Profile> {
    const running = asking.get(id) ?? ask(id).finally(() => asking.delete(id));
    asking.set(id, running);
    return running;
  }

  async function askedFor(id: string, patience: number): Promise<Profile> {
    const enough = new AbortController();
    const profile = await Promise.race([joined(id), clock.sleep(patience, enough.signal).then(() => lastKnown(id))]);
    enough.abort();
    return profile;
  }

  return {
    async person(id) {
      const seen = known.get(id);
      const fresh = seen && clock.now() - seen.at < FRESH;
      const { standing } = fresh ? seen : await askedFor(id, PATIENCE);
      return { id, standing };
    },
    async language(id) {
      return (known.get(id) ?? (await askedFor(id, PATIENCE_FOR_LANGUAGE))).language;
    },
  };
}

function profileOf(user: unknown, team: string): Profile {
  const { success, data } = userSchema.safeParse(user);
  return success ? { standing: standingOf(data, team), language: languageOf(data.locale) } : STRANGER;
}

function standingOf(user: z.infer<typeof userSchema>, team: string): Person['standing'] {
  if (user.deleted || user.is_bot) return 'unknown';
  const teams = [...(user.enterprise_user?.teams ?? []), ...(user.team_id === undefined ? [] : [user.team_id])];
  if (user.is_stranger || (teams.length > 0 && !teams.includes(team))) return 'external';
  return user.is_restricted || user.is_ultra_restricted ? 'guest' : 'member';
}
