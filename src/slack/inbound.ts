/** What Slack's envelopes are, before anything is done about them. */
import { z } from 'zod';
import type { Identity } from './identity.ts';

/** An event as Slack wraps it; its own fields are read by who handles its type. */
export type SlackEvent = { type: string } & Readonly<Record<string, unknown>>;

export type Inbound =
  | { kind: 'event'; event: SlackEvent }
  /** A click, a submission or a shortcut. */
  | { kind: 'interaction' }
  /** Ours, and nothing that we act on. */
  | { kind: 'other' }
  | { kind: 'refused'; status: 400 | 403; reason: string };

const eventSchema = z.object({
  type: z.literal('event_callback'),
  team_id: z.string().nullish(),
  event: z.looseObject({ type: z.string() }),
  authorizations: z.array(z.object({ team_id: z.string().nullish() })).nullish(),
});

const owner = z.object({ bot_id: z.string().nullish(), app_installed_team_id: z.string().nullish() });
const by = { user: z.object({ id: z.string().min(1) }), team: z.object({ id: z.string() }).nullish() };
const interactionSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('block_actions'),
    ...by,
    actions: z.array(z.object({ action_id: z.string(), block_id: z.string() })).min(1),
    message: owner.nullish(),
    view: owner.nullish(),
  }),
  z.object({ type: z.literal('message_action'), ...by, callback_id: z.string() }),
  z.object({ type: z.literal('view_submission'), ...by, view: owner.extend({ callback_id: z.string() }) }),
]);

const INTERACTIONS: readonly unknown[] = interactionSchema.options.map((option) => option.shape.type.value);

export function readInbound(body: unknown, identity: Identity): Inbound {
  const { data: envelope } = z.looseObject({ type: z.string() }).safeParse(body);
  if (envelope === undefined) return malformed('no type');
  if (envelope.type === 'event_callback' || 'event' in envelope) return readEvent(envelope, identity);
  if (INTERACTIONS.includes(envelope.type)) return readInteraction(envelope, identity);
  return { kind: 'other' };
}

function readEvent(body: unknown, { team }: Identity): Inbound {
  const { success, data } = eventSchema.safeParse(body);
  if (!success) return malformed('an event');
  // In a channel shared between organisations `team_id` may be the other one's: the authorizations say whose installation is meant.
  const authorized = (data.authorizations ?? []).flatMap(({ team_id }) => team_id ?? []);
  const teams = authorized.length > 0 ? authorized : [data.team_id];
  return teams.includes(team) ? { kind: 'event', event: data.event } : foreign();
}

function readInteraction(body: unknown, { team, botId }: Identity): Inbound {
  const { success, data } = interactionSchema.safeParse(body);
  if (!success) return malformed('an interaction');
  const message = data.type === 'block_actions' ? data.message : undefined;
  // Someone of another organisation acts under their own team, but on what our own bot has posted.
  const view = data.type === 'message_action' ? undefined : data.view;
  const ours =
    [data.team?.id, view?.app_installed_team_id].includes(team) || [message?.bot_id, view?.bot_id].includes(botId);
  return ours ? { kind: 'interaction' } : foreign();
}

const malformed = (what: string): Inbound => ({ kind: 'refused', status: 400, reason: `malformed: ${what}` });
const foreign = (): Inbound => ({ kind: 'refused', status: 403, reason: 'of another workspace' });
