import { isObject, type JsonObject, stringOr } from '../json.ts';
import { violations } from '../message-content.ts';
import type { Json, PlaygroundView } from '../protocol.ts';
import { checkView, described } from '../validator/payloads.ts';
import { MOST_VIEWS } from '../view-desk.ts';
import { type Answer, type Context, type Methods, refuse } from './method.ts';

const MOST_BYTES = 250_000;

/** A view that fits the method, or Slack's refusal. */
function readView(
  value: Json | undefined,
  type: 'modal' | 'home',
  context: Context,
  replaces?: PlaygroundView,
): JsonObject | Answer {
  if (!isObject(value))
    return violations('invalid_arguments', ['must provide an object [json-pointer:/view]']) as Answer;
  if (value.type !== undefined && value.type !== type) {
    return violations('invalid_arguments', [`must be one of: ${type} [json-pointer:/view/type]`]) as Answer;
  }
  if (Buffer.byteLength(JSON.stringify(value)) > MOST_BYTES) return refuse('view_too_large');
  const problems = checkView(value);
  if (problems.length > 0) return violations('invalid_arguments', described(problems)) as Answer;
  const external = stringOr(value.external_id);
  const other = external === '' ? undefined : context.desk.byExternalId(external);
  return other && other.id !== replaces?.id ? refuse('duplicate_external_id') : value;
}

const refused = (view: JsonObject | Answer): view is Answer => 'ok' in view;

const answer = (context: Context, view: PlaygroundView): Answer => ({ ok: true, view: context.desk.wire(view) });

function open(args: JsonObject, context: Context): Answer {
  // The view is looked at first: a refused one does not use the trigger up.
  const view = readView(args.view, 'modal', context);
  if (refused(view)) return view;
  const trigger = context.triggers.redeem(stringOr(args.trigger_id, stringOr(args.interactivity_pointer)));
  if (typeof trigger === 'string') return loudly(context, 'views.open', trigger);
  return answer(context, context.desk.open(trigger.user, view));
}

function push(args: JsonObject, context: Context): Answer {
  const view = readView(args.view, 'modal', context);
  if (refused(view)) return view;
  const trigger = context.triggers.redeem(stringOr(args.trigger_id, stringOr(args.interactivity_pointer)));
  if (typeof trigger === 'string') return loudly(context, 'views.push', trigger);
  if (trigger.view === undefined) {
    context.warn('views.push', 'The trigger_id is not of an action inside a modal.');
    return refuse('invalid_trigger_id');
  }
  if (context.desk.stack(trigger.user).length >= MOST_VIEWS) return refuse('push_limit_reached');
  return answer(context, context.desk.push(trigger.user, view));
}

function update(args: JsonObject, context: Context): Answer {
  const { ws, desk } = context;
  const id = stringOr(args.view_id);
  const old = id === '' ? desk.byExternalId(stringOr(args.external_id)) : ws.views.get(id);
  if (old?.type !== 'modal') return refuse('not_found');
  const view = readView(args.view, 'modal', context, old);
  if (refused(view)) return view;
  if (args.hash !== undefined && args.hash !== old.hash) return refuse('hash_conflict');
  return answer(context, desk.update(old, view));
}

function publish(args: JsonObject, context: Context): Answer {
  const { ws, desk, manifest } = context;
  if (!manifest.homeTab) return refuse('not_enabled');
  const user = ws.users.get(stringOr(args.user_id));
  if (!user) return refuse('invalid_arguments', { response_metadata: { messages: ['[ERROR] invalid `user_id`'] } });
  const old = desk.home(user.id);
  const view = readView(args.view, 'home', context, old);
  if (refused(view)) return view;
  if (args.hash !== undefined && old && args.hash !== old.hash) return refuse('hash_conflict');
  return answer(context, desk.publish(user.id, view));
}

function loudly(context: Context, title: string, error: string): Answer {
  const why = {
    expired_trigger_id: 'was too old',
    exchanged_trigger_id: 'was used before',
    invalid_trigger_id: 'is unknown',
  };
  context.warn(title, `The trigger_id ${why[error as keyof typeof why]}.`);
  return refuse(error);
}

const opening = { trigger_id: 'string', interactivity_pointer: 'string', view: 'json' } as const;

export const viewMethods: Methods = {
  'views.open': { token: 'bot', tier: 4, scopes: [], args: opening, required: ['view'], run: open },
  'views.push': { token: 'bot', tier: 4, scopes: [], args: opening, required: ['view'], run: push },
  'views.update': {
    token: 'bot',
    tier: 4,
    scopes: [],
    args: { view: 'json', view_id: 'string', external_id: 'string', hash: 'string' },
    required: ['view'],
    run: update,
  },
  'views.publish': {
    token: 'bot',
    tier: 4,
    scopes: [],
    args: { view: 'json', user_id: 'string', hash: 'string' },
    required: ['view', 'user_id'],
    run: publish,
  },
};
