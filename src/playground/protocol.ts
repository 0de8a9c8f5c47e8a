/**
 * What the playground's server and its page say to each other; the tests use the same actions. The page opens a WebSocket at
 * `/playground/live`, gets one `snapshot`, then every change as an `Update`. It acts by `POST /playground/do` with an `Action`
 * as JSON; the answer is a `Done`.
 */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type Block = { type: string; block_id?: string; [key: string]: Json | undefined };

export type PlaygroundUser = {
  id: string;
  name: string;
  realName: string;
  /** CSS colour of the avatar. */
  color: string;
  tz: string;
  locale: string;
  isBot?: boolean;
  isGuest?: boolean;
  deleted?: boolean;
  /** Another organisation's team id (Slack Connect). */
  team?: string;
};

export type PlaygroundChannel = {
  id: string;
  /** Without '#'; of a DM: the other person's id. */
  name: string;
  kind: 'channel' | 'private' | 'dm' | 'group_dm';
  members: string[];
  archived?: boolean;
  topic?: string;
};

/** A user group: `@handle` mentions all who are in it. */
export type PlaygroundUserGroup = { id: string; handle: string; name: string; users: string[] };

export type PlaygroundMessage = {
  channel: string;
  ts: string;
  thread_ts?: string;
  user: string;
  bot_id?: string;
  subtype?: string;
  text: string;
  blocks?: Block[];
  attachments?: Json[];
  files?: { id: string; name: string; mimetype: string; size: number }[];
  metadata?: { event_type: string; event_payload: { [key: string]: Json } };
  edited?: { user: string; ts: string };
  /** Only this person sees it. */
  ephemeralTo?: string;
  /** A stream that is still open. */
  streaming?: boolean;
  /** Task cards and plans of a stream, as they stand. */
  tasks?: { id: string; title: string; status: string; details?: string; output?: string }[];
  /** Title of the plan that the tasks of a stream belong to. */
  plan?: string;
  replyCount?: number;
  reactions?: { name: string; users: string[] }[];
};

export type PlaygroundView = {
  id: string;
  user: string;
  type: 'modal' | 'home';
  /** The view as the app gave it (title, blocks, submit, close, ...). */
  view: { [key: string]: Json };
  hash: string;
  /** Field errors of the last submission, by block_id. */
  errors?: { [blockId: string]: string };
  /** A line above the form, such as "trouble connecting": the ack did not come in time. */
  trouble?: string;
  /** Views below this one in the stack. */
  depth: number;
};

/** What an empty chat with the app offers to say; in one thread, or wherever there is none yet. */
export type PlaygroundPrompts = {
  channel: string;
  thread_ts?: string;
  title?: string;
  prompts: { title: string; message: string }[];
};

export type PlaygroundStatus = { channel: string; thread_ts: string; status: string; session?: string; until?: number };

/** One line of the inspector. `warning` makes something loud, such as a missing ack or an unknown argument. */
export type Traffic = {
  id: number;
  at: number;
  kind: 'api' | 'event' | 'interaction' | 'response_url' | 'socket' | 'fault';
  title: string;
  ok: boolean;
  ms?: number;
  warning?: string;
  request?: Json;
  response?: Json;
};

export type BotState = {
  /** `absent`: the server does not run the bot itself (tests, or a bot of one's own). */
  state: 'absent' | 'starting' | 'running' | 'stopped' | 'killed' | 'crashed';
  pid?: number;
  sockets: number;
  /** It is reached by signed requests, and has no sockets. */
  http?: true;
  /** "Scripted demo model (no OPENAI_API_KEY)", or the model's name. */
  model?: string;
  log: string[];
};

export type Fault = {
  /** A Web API method such as `chat.postMessage`, or `*`. */
  method: string;
  /** Only calls about this channel. */
  channel?: string;
  kind:
    | 'drop_before'
    | 'drop_after'
    | 'http_500_before'
    | 'http_500_after'
    | 'internal_error'
    | 'rate_limited'
    | 'slow'
    | 'refuse';
  /** How many calls it hits; absent: until it is cleared. */
  times?: number;
  /** So many calls of the method pass before it begins to hit. */
  after?: number;
  /** `slow`: ms before the answer; the call is processed at once, so that a client that gives up has been heard. `rate_limited`: Retry-After in s. */
  value?: number;
  /** `refuse`: Slack's error code. */
  error?: string;
};

export type Snapshot = {
  type: 'snapshot';
  team: { id: string; name: string };
  /** `view`: how a chat with it is drawn. */
  app: {
    id: string;
    name: string;
    botUser: string;
    view: 'plain' | 'assistant' | 'agent';
    /** Of messages: entries of each message's menu. */
    shortcuts: { name: string; callback_id: string }[];
  };
  users: PlaygroundUser[];
  channels: PlaygroundChannel[];
  userGroups: PlaygroundUserGroup[];
  messages: PlaygroundMessage[];
  views: PlaygroundView[];
  statuses: PlaygroundStatus[];
  prompts: PlaygroundPrompts[];
  traffic: Traffic[];
  faults: Fault[];
  bot: BotState;
};

export type Update =
  | Snapshot
  | { type: 'message'; message: PlaygroundMessage }
  | { type: 'message_deleted'; channel: string; ts: string }
  | { type: 'view'; view: PlaygroundView }
  | { type: 'view_closed'; id: string }
  | { type: 'status'; status: PlaygroundStatus }
  | { type: 'prompts'; prompts: PlaygroundPrompts }
  | { type: 'channel'; channel: PlaygroundChannel }
  | { type: 'user'; user: PlaygroundUser }
  | { type: 'traffic'; traffic: Traffic }
  | { type: 'faults'; faults: Fault[] }
  | { type: 'bot'; bot: BotState };

/** State of the stateful elements of a message or a view, as Slack sends it in `state.values`. */
export type StateValues = { [blockId: string]: { [actionId: string]: { type: string; [key: string]: Json } } };

export type Action = { as: string } & (
  | {
      do: 'say';
      channel: string;
      text: string;
      thread_ts?: string;
      broadcast?: boolean;
      /** `content`: text as it is; of what is not text, a base64 `data:` URL. */
      files?: { name: string; mimetype: string; content: string }[];
    }
  | { do: 'edit'; channel: string; ts: string; text: string }
  | { do: 'delete'; channel: string; ts: string }
  /** `action`: the element's own part of Slack's `actions[0]`, such as `{ type: 'button', value: 'x' }` or `{ type: 'checkboxes', selected_options: [...] }`. */
  | {
      do: 'interact';
      container: { type: 'message'; channel: string; ts: string } | { type: 'view'; view: string };
      block_id: string;
      action_id: string;
      action: { type: string; [key: string]: Json };
      state?: StateValues;
    }
  | { do: 'shortcut'; channel: string; ts: string; callback_id: string }
  | { do: 'submit_view'; view: string; state: StateValues }
  | { do: 'close_view'; view: string; all?: boolean }
  /** `tab` absent: Home. */
  | { do: 'open_home'; tab?: 'home' | 'messages' }
  /** The assistant's view: a new thread in the DM with the app; `Done.ts`. */
  | { do: 'start_chat' }
  /** Opens (or finds) the DM between this person and the bot; `Done.channel`. */
  | { do: 'open_dm' }
  | { do: 'stop_session'; channel: string; thread_ts: string }
  | { do: 'invite'; channel: string; user: string }
  | { do: 'remove'; channel: string; user: string }
  | { do: 'archive'; channel: string }
  | { do: 'bot'; command: 'start' | 'stop' | 'kill' }
  | { do: 'fault'; fault: Fault }
  | { do: 'clear_faults' }
  /** Closes the bot's sockets, with or without the `disconnect` frame. */
  | { do: 'disconnect'; abrupt: boolean }
  | { do: 'uninstall' }
);

export type Done = { ok: true; ts?: string; channel?: string; response?: Json } | { ok: false; error: string };
