/**
 * People's Home tabs: published when they are opened, after each click, and while somebody may be looking. Slack does not say
 * when a Home is left, and another replica may be at the thread, so what is looked at is read again every few seconds for a
 * while, and published when it has changed. Nothing depends on a Home: a failure is logged, and the next look mends it.
 */
import type { HomeView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { Dispatcher } from '../../thread/dispatcher-api.ts';
import type { Clock, Whisper } from '../../thread/ports.ts';
import type { Directory } from '../directory.ts';
import { slackId } from '../fields.ts';
import type { Identity } from '../identity.ts';
import { decodePage } from '../ids.ts';
import type { InFlight } from '../in-flight.ts';
import type { SlackEvent } from '../inbound.ts';
import { assertHome } from '../limits.ts';
import { linkTo } from '../links.ts';
import type { Log } from '../log.ts';
import { homeView } from '../views/home.ts';
import { whisperText } from '../views/notice.ts';
import { failureOf, slackErrorCode } from '../web-api-error.ts';
import { wordsIn } from '../words/catalogue.ts';

/** ms that a Home is kept up to date after its person was last seen there, and between two looks. */
const WATCHED_FOR = 10 * 60_000;
const LOOK_EVERY = 3_000;
/** Homes that are kept up to date at once; the longest not seen leave first. */
const MOST = 200;
/** ms that what became of a click stands at the top, unless something else is done before. */
const TOLD_FOR = 30_000;

const openedSchema = z.object({ user: slackId, tab: z.string().optional() });
const clickedSchema = z.object({ view: z.object({ type: z.literal('home'), private_metadata: z.string().nullish() }) });

/** `shown`: the blocks that were published last. `again`: something happened while they were being published. */
type Watched = {
  page: number;
  until: number;
  shown: string;
  again: boolean;
  told?: { whisper: Whisper; until: number } | undefined;
  publishing?: Promise<void>;
};

export type HomeParts = {
  client: Pick<WebClient, 'views'>;
  dispatcher: Pick<Dispatcher, 'home'>;
  directory: Pick<Directory, 'person' | 'language'>;
  identity: Identity;
  inFlight: InFlight;
  clock: Clock;
  log: Log;
};

export type HomeTabs = {
  /** The event: a person opened the app's Home, or another tab of it. */
  app_home_opened(event: SlackEvent): Promise<void>;
  /** The page of the Home that was clicked; undefined: it was no Home. */
  pageOf(body: unknown): number | undefined;
  /** Shows this person's Home as it is now, with what they must be told, if anything. Never rejects. */
  show(user: string, page: number, told?: Whisper): Promise<void>;
  /** The person did something elsewhere: if they have a Home open it is looked at again. Never rejects. */
  touch(user: string): Promise<void>;
  stop(): void;
};

export function createHomeTabs(parts: HomeParts): HomeTabs {
  const { client, dispatcher, directory, identity, inFlight, clock, log } = parts;
  /** By person, in the order in which they were last seen. */
  const watched = new Map<string, Watched>();
  const stopped = new AbortController();
  let watching = false;
  let enabled = true;

  async function build(user: string, { page, told }: Watched): Promise<HomeView> {
    const [by, language] = await Promise.all([directory.person(user), directory.language(user)]);
    const home = await dispatcher.home(identity.team, by);
    const words = wordsIn(language);
    const notice = told && told.until > clock.now() ? whisperText(told.whisper, words) : undefined;
    const view = homeView(home, { words, page, linkTo: (thread) => linkTo(identity, thread), notice });
    assertHome(view);
    return view;
  }

  async function publish(user: string, of: Watched): Promise<void> {
    try {
      const view = await build(user, of);
      const shown = JSON.stringify(view.blocks);
      if (shown === of.shown) return;
      await client.views.publish({ user_id: user, view });
      of.shown = shown;
    } catch (error) {
      if (slackErrorCode(error) === 'not_enabled') {
        enabled = false;
        watched.clear();
        return log.warn({}, 'The app has no Home tab: to have one, take over app_home from manifest.yml.');
      }
      log.warn({ person: user, reason: failureOf(error).reason }, 'a Home is not up to date');
    }
  }

  /** One at a time for a person: what comes meanwhile is one more look. */
  function refresh(user: string, of: Watched): Promise<void> {
    if (of.publishing !== undefined) {
      of.again = true;
      return of.publishing;
    }
    const publishing = (async () => {
      do {
        of.again = false;
        await publish(user, of);
      } while (of.again && !stopped.signal.aborted);
    })().finally(() => {
      delete of.publishing;
    });
    of.publishing = publishing;
    return inFlight.track(publishing);
  }

  function seen(user: string, page: number, told?: Whisper): Watched {
    const now = clock.now();
    const of: Watched = watched.get(user) ?? { page, until: 0, shown: '', again: false };
    of.page = page;
    of.until = now + WATCHED_FOR;
    of.told = told && { whisper: told, until: now + TOLD_FOR };
    watched.delete(user);
    watched.set(user, of);
    const [oldest] = watched.keys();
    if (watched.size > MOST && oldest !== undefined) watched.delete(oldest);
    if (!watching) void inFlight.track(watch());
    return of;
  }

  /** Ends when nobody looks any more. */
  async function watch(): Promise<void> {
    watching = true;
    while (watched.size > 0 && !stopped.signal.aborted) {
      await clock.sleep(LOOK_EVERY, stopped.signal);
      for (const [user, of] of [...watched]) {
        if (stopped.signal.aborted) break;
        if (of.until <= clock.now()) watched.delete(user);
        else await refresh(user, of);
      }
    }
    watching = false;
  }

  return {
    async app_home_opened(event) {
      const { data } = openedSchema.safeParse(event);
      if (data === undefined) return log.warn({}, 'a Home was opened that is not readable');
      if (data.tab !== 'home') return void watched.delete(data.user);
      if (!enabled || stopped.signal.aborted) return;
      const of = seen(data.user, 0);
      // Another replica may have shown something else meanwhile. The event's ack waits for nothing.
      of.shown = '';
      void refresh(data.user, of);
    },

    pageOf(body) {
      const { data } = clickedSchema.safeParse(body);
      return data && (decodePage(data.view.private_metadata ?? '') ?? 0);
    },

    async show(user, page, told) {
      if (!enabled || stopped.signal.aborted) return;
      await refresh(user, seen(user, page, told));
    },

    async touch(user) {
      const of = watched.get(user);
      if (of && !stopped.signal.aborted) await refresh(user, of);
    },

    stop() {
      stopped.abort();
      watched.clear();
    },
  };
}
