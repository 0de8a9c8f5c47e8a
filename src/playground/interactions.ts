import type { Delivery, Receipt } from './delivery.ts';
import { findElement } from './fill-in.ts';
import { enteredBy, formErrors, mergedValues, stateValues, unknownOption } from './inputs.ts';
import { copy, isObject, type JsonObject, listOr, objectOr } from './json.ts';
import type { Manifest } from './manifest.ts';
import type { Action, Block, Done, Json, PlaygroundView, StateValues } from './protocol.ts';
import type { ResponseUrls } from './response-urls.ts';
import type { TrafficLog } from './traffic.ts';
import type { Triggers } from './triggers.ts';
import { checkView, described } from './validator/payloads.ts';
import { MOST_VIEWS, type ViewDesk } from './view-desk.ts';
import { interactionChannel, wireMessage } from './wire.ts';
import type { StoredMessage, Workspace } from './workspace.ts';

const TROUBLE = 'We had some trouble connecting. Try again?';

type Interact = Extract<Action, { do: 'interact' }>;
type Clicked = { blocks: Block[] | undefined; payload: JsonObject; state: StateValues };

export type Interactions = ReturnType<typeof createInteractions>;

/** People's clicks, submissions and closings, as Slack tells them to the app, and what the app's ack does. */
export function createInteractions(deps: {
  ws: Workspace;
  manifest: Manifest;
  delivery: Pick<Delivery, 'interaction'>;
  desk: ViewDesk;
  triggers: Triggers;
  urls: ResponseUrls;
  traffic: TrafficLog;
}) {
  const { ws, delivery, desk, triggers, urls, traffic } = deps;
  /** What each person has ticked and picked in each message, but not yet sent. */
  const drafts = new Map<string, StateValues>();

  function common(type: string, user: string): JsonObject {
    const person = ws.users.get(user);
    return {
      type,
      user: {
        id: user,
        username: person?.name ?? user,
        name: person?.name ?? user,
        team_id: person?.team ?? ws.team.id,
      },
      api_app_id: ws.app.id,
      token: 'verification-token',
      team: { id: ws.team.id, domain: ws.team.domain },
      enterprise: null,
      is_enterprise_install: false,
    };
  }

  function onMessage(action: Interact, at: { channel: string; ts: string }): Clicked | string {
    const message = ws.find(at.channel, at.ts);
    const channel = ws.channels.get(at.channel);
    if (!message || !channel || (message.ephemeralTo ?? action.as) !== action.as) return 'message_not_found';
    if (!channel.members.includes(action.as)) return 'not_in_channel';
    const draft = `${action.as}:${at.channel}:${at.ts}`;
    const entered = mergedValues(
      drafts.get(draft),
      action.state,
      enteredBy(action.block_id, action.action_id, action.action),
    );
    drafts.set(draft, entered);
    const state = stateValues(message.blocks, entered);
    return {
      blocks: message.blocks,
      state,
      payload: {
        container: container(message),
        trigger_id: triggers.issue({ user: action.as }),
        channel: interactionChannel(channel),
        ...(message.ephemeralTo ? {} : { message: wireMessage(ws, message) }),
        state: { values: state as Json },
        response_url: urls.issue({
          user: action.as,
          channel: channel.id,
          message: message.ts,
          ...(message.thread_ts === undefined ? {} : { thread_ts: message.thread_ts }),
        }),
      },
    };
  }

  function onView(action: Interact, id: string): Clicked | string {
    const view = ws.views.get(id);
    if (!view || view.user !== action.as) return 'view_not_found';
    const entered = mergedValues(action.state, enteredBy(action.block_id, action.action_id, action.action));
    const state = desk.enter(view, entered);
    return {
      blocks: desk.blocksOf(view),
      state,
      payload: {
        container: { type: 'view', view_id: view.id },
        trigger_id: triggers.issue({ user: action.as, ...(view.type === 'modal' ? { view: view.id } : {}) }),
        view: desk.wire(view),
      },
    };
  }

  async function interact(action: Interact): Promise<Done> {
    if (!deps.manifest.interactivity) return noInteractivity();
    const clicked =
      action.container.type === 'message' ? onMessage(action, action.container) : onView(action, action.container.view);
    if (typeof clicked === 'string') return { ok: false, error: clicked };
    const element = findElement(clicked.blocks, action.block_id, action.action_id);
    if (!element || element.type !== action.action.type) return { ok: false, error: 'element_not_found' };
    if (unknownOption(element, action.action)) return { ok: false, error: 'option_not_found' };
    const payload = {
      ...common('block_actions', action.as),
      ...clicked.payload,
      actions: [
        {
          ...actionOf(element, action.action),
          action_id: action.action_id,
          block_id: action.block_id,
          action_ts: ws.nextTs(),
        },
      ],
    };
    const title = `block_actions ${action.action_id}`;
    return done(await delivery.interaction(payload, title, false));
  }

  /** Slack has them in the menu of each message that a person sees, also where the app is not. */
  async function shortcut(action: Extract<Action, { do: 'shortcut' }>): Promise<Done> {
    if (!deps.manifest.interactivity) return noInteractivity();
    const known = deps.manifest.shortcuts.some(({ callback_id }) => callback_id === action.callback_id);
    if (!known) return { ok: false, error: 'shortcut_not_found' };
    const message = ws.find(action.channel, action.ts);
    const channel = ws.channels.get(action.channel);
    if (!message || !channel || message.ephemeralTo) return { ok: false, error: 'message_not_found' };
    if (!channel.members.includes(action.as)) return { ok: false, error: 'not_in_channel' };
    const payload = {
      ...common('message_action', action.as),
      action_ts: ws.nextTs(),
      callback_id: action.callback_id,
      trigger_id: triggers.issue({ user: action.as }),
      channel: interactionChannel(channel),
      message_ts: message.ts,
      message: wireMessage(ws, message),
      response_url: urls.issue({ user: action.as, channel: channel.id, message: message.ts }),
    };
    return done(await delivery.interaction(payload, `message_action ${action.callback_id}`, false));
  }

  async function submit(action: Extract<Action, { do: 'submit_view' }>): Promise<Done> {
    if (!deps.manifest.interactivity) return noInteractivity();
    const view = ws.views.get(action.view);
    if (!view || view.user !== action.as || view.type !== 'modal') return { ok: false, error: 'view_not_found' };
    const values = desk.enter(view, action.state);
    const errors = formErrors(desk.blocksOf(view), values);
    if (Object.keys(errors).length > 0) {
      desk.mark(view, { errors });
      return { ok: false, error: 'invalid_input' };
    }
    desk.mark(view, {});
    const payload = {
      ...common('view_submission', action.as),
      trigger_id: triggers.issue({ user: action.as, view: view.id }),
      view: desk.wire(view),
      response_urls: responseUrls(view, values, action.as),
    };
    const receipt = await delivery.interaction(payload, `view_submission ${String(view.view.callback_id ?? '')}`, true);
    if (!receipt.acked) {
      desk.mark(view, { trouble: TROUBLE });
      return done(receipt);
    }
    const problem = respond(view, receipt.response);
    if (problem === undefined) return done(receipt);
    traffic.warn('interaction', 'Answer to view_submission', problem);
    desk.mark(view, { trouble: TROUBLE });
    return { ok: false, error: 'invalid_response' };
  }

  /** Does what the ack of a submission says; the answer is what is wrong with it. */
  function respond(view: PlaygroundView, response: Json | undefined): string | undefined {
    // A view that changed or closed meanwhile (views.update) stays as it is when the ack closes it.
    if (response === undefined) {
      desk.close(view);
      return undefined;
    }
    const answer = objectOr(response);
    switch (answer.response_action) {
      case 'errors': {
        const errors = objectOr(answer.errors);
        const inputs = new Set(
          desk
            .blocksOf(view)
            .filter((block) => block.type === 'input')
            .map((block) => block.block_id),
        );
        const unknown = Object.keys(errors).filter((id) => !inputs.has(id));
        if (Object.keys(errors).length === 0) return 'response_action "errors" without errors.';
        if (unknown.length > 0) return `errors name what is no input block of the view: ${unknown.join(', ')}.`;
        desk.mark(view, { errors: Object.fromEntries(Object.entries(errors).map(([id, text]) => [id, String(text)])) });
        return undefined;
      }
      case 'update':
      case 'push': {
        const problems = checkView(answer.view ?? null);
        if (problems.length > 0) return `The view is refused: ${described(problems).join('; ')}`;
        if (answer.response_action === 'update') desk.update(view, answer.view as JsonObject);
        else if (desk.stack(view.user).length >= MOST_VIEWS) return `No more than ${MOST_VIEWS} views may be open.`;
        else desk.push(view.user, answer.view as JsonObject);
        return undefined;
      }
      case 'clear':
        for (const open of desk.stack(view.user)) desk.close(open);
        return undefined;
      default:
        return `Unknown response_action: ${String(answer.response_action)}.`;
    }
  }

  function responseUrls(view: PlaygroundView, values: StateValues, user: string): JsonObject[] {
    return desk.blocksOf(view).flatMap((block) => {
      const element = objectOr(block.element);
      if (element.response_url_enabled !== true) return [];
      const { block_id = '' } = block;
      const action_id = String(element.action_id);
      const chosen = values[block_id]?.[action_id];
      const channel = chosen?.selected_conversation ?? chosen?.selected_channel;
      if (typeof channel !== 'string') return [];
      return [{ block_id, action_id, channel_id: channel, response_url: urls.issue({ user, channel }) }];
    });
  }

  async function close(action: Extract<Action, { do: 'close_view' }>): Promise<Done> {
    const view = ws.views.get(action.view);
    if (!view || view.user !== action.as || view.type !== 'modal') return { ok: false, error: 'view_not_found' };
    const all = action.all === true || view.view.clear_on_close === true;
    const closing = all ? desk.stack(view.user).reverse() : [view];
    const told = closing
      .filter((closed) => closed.view.notify_on_close === true)
      .map((closed) => ({ ...common('view_closed', action.as), view: desk.wire(closed), is_cleared: all }));
    for (const closed of closing) desk.close(closed);
    if (!deps.manifest.interactivity) return { ok: true };
    const receipts = await Promise.all(told.map((payload) => delivery.interaction(payload, 'view_closed', false)));
    return done(receipts.find((receipt) => !receipt.acked) ?? { acked: true });
  }

  function noInteractivity(): Done {
    traffic.warn(
      'interaction',
      'Not delivered',
      'The manifest has settings.interactivity.is_enabled off: clicks go nowhere.',
    );
    return { ok: false, error: 'interactivity_disabled' };
  }

  return { interact, shortcut, submit, close };
}

function done(receipt: Receipt): Done {
  if (!receipt.acked) return { ok: false, error: `no_ack: ${receipt.detail}` };
  return { ok: true, ...(receipt.response === undefined ? {} : { response: receipt.response }) };
}

function container(message: StoredMessage): JsonObject {
  return {
    type: 'message',
    message_ts: message.ts,
    channel_id: message.channel,
    is_ephemeral: message.ephemeralTo !== undefined,
    ...(message.thread_ts === undefined ? {} : { thread_ts: message.thread_ts }),
  };
}

/** `actions[0]`: what the person chose, and what Slack repeats of the element. A button's value is the element's own. */
function actionOf(element: JsonObject, chosen: JsonObject): JsonObject {
  const repeated = element.type === 'button' ? ['text', 'value', 'style', 'url'] : ['placeholder'];
  const echoed = Object.fromEntries(
    repeated.flatMap((key) => (element[key] === undefined ? [] : [[key, element[key]]])),
  );
  const options = [
    ...listOr(element.options),
    ...listOr(element.option_groups).flatMap((group) => listOr(objectOr(group).options)),
  ];
  // The option as the app gave it, whatever the page sent of it.
  const original = (option: Json) =>
    copy(options.find((entry) => isObject(entry) && isObject(option) && entry.value === option.value) ?? option);
  if (element.type === 'button') return copy({ type: 'button', ...echoed }) as JsonObject;
  const picked: JsonObject = { ...chosen };
  if (isObject(chosen.selected_option)) picked.selected_option = original(chosen.selected_option);
  if (Array.isArray(chosen.selected_options)) picked.selected_options = chosen.selected_options.map(original);
  return { ...picked, ...echoed } as JsonObject;
}
