/** Who someone is to this workspace, as Slack knows them: the standing that the policy judges by. */
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { Clock, Person } from '../thread/ports.ts';
import type { Log } from './log.ts';
import { failureOf, slackErrorCode } from './web-api-error.ts';

/** ms that an answer of Slack is believed. Someone who becomes a guest is one for us after this at the latest. */
const FRESH = 10 * 60_000;
/** ms that a lookup may take: a click must be answered within three seconds. */
const PATIENCE = 1_500;
const MOST = 5_000;

const userSchema = z.object({
  team_id: z.string().optional(),
  deleted: z.boolean().optional(),
  is_bot: z.boolean().optional(),
  is_restricted: z.boolean().optional(),
  is_ultra_restricted: z.boolean().optional(),
  is_stranger: z.boolean().optional(),
});

export type Directory = {
  /** Never rejects: who cannot be looked up in time is `unknown`, and is looked up again the next time. */
  person(id: string): Promise<Person>;
};

export type DirectoryParts = { client: Pick<WebClient, 'users'>; team: string; clock: Clock; log: Log };

export function createDirectory({ client, team, clock, log }: DirectoryParts): Directory {
  /** In order of insertion: the oldest leave first. */
  const known = new Map<string, { standing: Person['standing']; at: number }>();
  const asking = new Map<string, Promise<Person['standing']>>();

  async function ask(id: string): Promise<Person['standing']> {
    try {
      const { user } = await client.users.info({ user: id });
      return remember(id, standingOf(user, team));
    } catch (error) {
      const code = slackErrorCode(error);
      if (code === 'user_not_found' || code === 'user_not_visible') return remember(id, 'unknown');
      log.warn({ person: id, reason: failureOf(error).reason }, 'a person cannot be looked up and counts as outside');
      return 'unknown';
    }
  }

  function remember(id: string, standing: Person['standing']): Person['standing'] {
    known.delete(id);
    known.set(id, { standing, at: clock.now() });
    const [oldest] = known.keys();
    if (known.size > MOST && oldest !== undefined) known.delete(oldest);
    return standing;
  }

  function joined(id: string): Promise<Person['standing']> {
    const running = asking.get(id) ?? ask(id).finally(() => asking.delete(id));
    asking.set(id, running);
    return running;
  }

  return {
    async person(id) {
      const seen = known.get(id);
      if (seen && clock.now() - seen.at < FRESH) return { id, standing: seen.standing };
      const enough = new AbortController();
      const standing = await Promise.race([
        joined(id),
        clock.sleep(PATIENCE, enough.signal).then((): Person['standing'] => 'unknown'),
      ]);
      enough.abort();
      return { id, standing };
    },
  };
}

function standingOf(user: unknown, team: string): Person['standing'] {
  const { success, data } = userSchema.safeParse(user);
  if (!success || data.deleted || data.is_bot) return 'unknown';
  if (data.is_stranger || (data.team_id !== undefined && data.team_id !== team)) return 'external';
  return data.is_restricted || data.is_ultra_restricted ? 'guest' : 'member';
}
