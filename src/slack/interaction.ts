/** What a click or a submitted modal of ours says, read from Slack's payload. Whether it may, and whether it fits, others judge. */
import { z } from 'zod';
import type { Given } from '../thread/dispatcher-api.ts';
import type { QuestionId, ThreadId } from '../thread/ports.ts';
import {
  type ActionRef,
  ANSWER_MODAL,
  type BlockRef,
  decodeAction,
  decodeBlock,
  decodeForm,
  decodeOption,
  encodeAction,
  encodeBlock,
  FEEDBACK,
  threadParts,
} from './ids.ts';

/** `cardTs`: of the message that was clicked, when it was one that all can see. `channel`: where the click was made. */
export type Interaction =
  | { kind: 'answer'; thread: ThreadId; question: QuestionId; given: Given; cardTs?: string; channel: string }
  | { kind: 'withdraw'; thread: ThreadId; question: QuestionId; cardTs?: string }
  | OpenForm
  | { kind: 'retry'; thread: ThreadId; runId: string }
  | { kind: 'stop'; thread: ThreadId }
  | { kind: 'feedback'; thread: ThreadId; runId: string; is: 'good' | 'bad' }
  /** Another page of Home, from 0. */
  | { kind: 'page'; page: number }
  /** Ours, and nothing to do yet: a box was ticked, a menu changed. */
  | { kind: 'none' }
  /** Ours, but what was picked did not come along, or cannot be read. */
  | { kind: 'not_arrived'; thread: ThreadId; question: QuestionId };

/** `all`: with every open question of the step. `ticked`: options that were picked on the card, and not sent. */
export type OpenForm = {
  kind: 'open_form';
  thread: ThreadId;
  question: QuestionId;
  triggerId: string;
  all: boolean;
  ticked: number[];
};

/** A submitted form. */
export type Submission = { thread: ThreadId; answers: FormAnswer[] };

/** `given` absent: it was left empty. `field`: the input block that shows what is wrong. `choice`: it has options. */
export type FormAnswer = { question: QuestionId; given?: Given; field: string; choice: boolean };

const optionSchema = z.object({ value: z.string() });
const stateSchema = z.object({
  values: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        selected_option: optionSchema.nullish(),
        selected_options: z.array(optionSchema).nullish(),
        value: z.string().nullish(),
      }),
    ),
  ),
});
const clickSchema = z.object({
  type: z.literal('block_actions'),
  trigger_id: z.string().min(1),
  channel: z.object({ id: z.string() }).optional(),
  container: z
    .object({ type: z.string(), message_ts: z.string().optional(), is_ephemeral: z.boolean().optional() })
    .optional(),
  state: stateSchema.optional(),
  actions: z
    .array(
      z.object({
        action_id: z.string(),
        block_id: z.string(),
        selected_option: optionSchema.nullish(),
        value: z.string().nullish(),
      }),
    )
    .min(1),
});
const submissionSchema = z.object({
  type: z.literal('view_submission'),
  view: z.object({
    callback_id: z.literal(ANSWER_MODAL),
    private_metadata: z.string(),
    state: stateSchema.optional(),
  }),
});

type State = z.infer<typeof stateSchema>;
type Click = z.infer<typeof clickSchema>;
type QuestionBlock = Extract<BlockRef, { kind: 'question' }>;

/** undefined: not a control of ours, or not a payload that we can read. */
export function readBlockActions(body: unknown): Interaction | undefined {
  const click = clickSchema.safeParse(body).data;
  const clicked = click?.actions[0];
  if (click === undefined || clicked === undefined) return undefined;
  const block = decodeBlock(clicked.block_id);
  const action = decodeAction(clicked.action_id);
  if (block === undefined || action === undefined) return undefined;
  switch (block.kind) {
    case 'home':
      return action.kind === 'page' ? { kind: 'page', page: action.page } : undefined;
    case 'thread':
      return action.kind === 'stop' ? { kind: 'stop', thread: block.thread } : undefined;
    case 'run':
      if (action.kind === 'retry') return { kind: 'retry', thread: block.thread, runId: block.runId };
      if (action.kind === 'feedback') return feedback(block, clicked.value);
      return action.kind === 'stop' ? { kind: 'stop', thread: block.thread } : undefined;
    case 'question':
      return onQuestion(click, clicked, block, action);
  }
}

function onQuestion(
  click: Click,
  clicked: Click['actions'][number],
  block: QuestionBlock,
  action: ActionRef,
): Interaction | undefined {
  switch (action.kind) {
    case 'pick':
      return answer(click, block, { kind: 'answer', options: [action.option] });
    case 'menu':
      if (!clicked.selected_option) return { kind: 'none' };
      return answerWith(click, block, [clicked.selected_option.value]);
    case 'choices':
    case 'words':
      return { kind: 'none' };
    case 'submit':
      // Nothing ticked is an answer for the check to refuse; no state at all is one that did not arrive.
      return answerWith(click, block, ticked(click, block));
    case 'write':
    case 'change':
    case 'answer_all': {
      const { thread, question } = block;
      const options = (ticked(click, block) ?? []).flatMap((value) => decodeOption(value) ?? []);
      const all = action.kind === 'answer_all';
      return { kind: 'open_form', thread, question, triggerId: click.trigger_id, all, ticked: options };
    }
    case 'skip':
      return answer(click, block, { kind: 'skip' });
    case 'withdraw':
      return { kind: 'withdraw', thread: block.thread, question: block.question, ...cardOf(click, block.thread) };
    case 'retry':
    case 'stop':
    case 'feedback':
    case 'page':
      return undefined;
  }
}

function feedback({ thread, runId }: Extract<BlockRef, { kind: 'run' }>, value: unknown): Interaction | undefined {
  const is = FEEDBACK.find((known) => known === value);
  return is && { kind: 'feedback', thread, runId, is };
}

/** The values of what is ticked on the card; undefined: the click did not say. */
function ticked({ state }: Click, { thread, question }: QuestionBlock): string[] | undefined {
  const choices = encodeBlock({ kind: 'question', part: 'choices', thread, question });
  const found = state?.values[choices]?.[encodeAction({ kind: 'choices' })];
  return found && (found.selected_options ?? []).map(({ value }) => value);
}

/** undefined: not a form of ours, or not a payload that we can read. */
export function readViewSubmission(body: unknown): Submission | undefined {
  const view = submissionSchema.safeParse(body).data?.view;
  const form = view && decodeForm(view.private_metadata);
  if (form === undefined) return undefined;
  const { thread, questions } = form;
  const values = view?.state?.values ?? {};
  return { thread, answers: questions.map((question) => formAnswer(thread, question, values)) };
}

function formAnswer(thread: ThreadId, question: QuestionId, values: State['values']): FormAnswer {
  const block = (part: 'choices' | 'words') => encodeBlock({ kind: 'question', part, thread, question });
  const picked = values[block('choices')]?.[encodeAction({ kind: 'choices' })];
  const text = values[block('words')]?.[encodeAction({ kind: 'words' })]?.value ?? '';
  const options = [...(picked?.selected_options ?? []), ...(picked?.selected_option ? [picked.selected_option] : [])];
  // What no form of ours says is an option that the question does not have.
  const indexes = [...new Set(options.map(({ value }) => decodeOption(value) ?? -1))].sort((a, b) => a - b);
  const choice = picked !== undefined;
  const own = { question, field: block(choice ? 'choices' : 'words'), choice };
  if (indexes.length === 0 && text.trim() === '') return own;
  return { ...own, given: { kind: 'answer', options: indexes, ...(text.trim() !== '' && { text }) } };
}

function answerWith(click: Click, block: QuestionBlock, values: readonly string[] | undefined): Interaction {
  const options = values?.map(decodeOption);
  if (options?.every((option) => option !== undefined)) {
    const ordered = [...new Set(options)].sort((a, b) => a - b);
    return answer(click, block, { kind: 'answer', options: ordered });
  }
  return { kind: 'not_arrived', thread: block.thread, question: block.question };
}

function answer(click: Click, { thread, question }: QuestionBlock, given: Given): Interaction {
  // Slack names the channel of every click on a message; elsewhere the thread's own is as good.
  const channel = click.channel?.id ?? threadParts(thread).channel;
  return { kind: 'answer', thread, question, given, channel, ...cardOf(click, thread) };
}

/** A message of another channel is an invitation, not the card. */
function cardOf({ container, channel }: Click, thread: ThreadId): { cardTs?: string } {
  if (channel !== undefined && channel.id !== threadParts(thread).channel) return {};
  const card = container?.type === 'message' && container.is_ephemeral !== true ? container.message_ts : undefined;
  return card === undefined ? {} : { cardTs: card };
}
