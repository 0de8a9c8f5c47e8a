/** What a click or a submitted modal of ours says, read from Slack's payload. Whether it may, and whether it fits, others judge. */
import { z } from 'zod';
import type { Given } from '../thread/dispatcher-api.ts';
import type { QuestionId, ThreadId } from '../thread/ports.ts';
import {
  ANSWER_FIELD,
  ANSWER_INPUT,
  ANSWER_MODAL,
  type BlockRef,
  decodeAction,
  decodeBlock,
  decodeMetadata,
  decodeOption,
  encodeAction,
  encodeBlock,
} from './ids.ts';

/** `cardTs`: of the message that was clicked, when it was one that all can see. `channel`: where the click was made. */
export type Interaction =
  | { kind: 'answer'; thread: ThreadId; question: QuestionId; given: Given; cardTs?: string; channel: string }
  | { kind: 'open_modal'; thread: ThreadId; question: QuestionId; triggerId: string; cardTs?: string }
  | { kind: 'retry'; thread: ThreadId; runId: string }
  | { kind: 'stop'; thread: ThreadId }
  /** Ours, and nothing to do yet: a box was ticked, a menu changed. */
  | { kind: 'none' }
  /** Ours, but what was picked did not come along, or cannot be read. */
  | { kind: 'not_arrived'; thread: ThreadId; question: QuestionId };

export type Submission =
  | { kind: 'answer'; thread: ThreadId; question: QuestionId; given: Given }
  /** Nothing was written: the modal stays open and says so. */
  | { kind: 'blank' };

const optionSchema = z.object({ value: z.string() });
const stateSchema = z.object({
  values: z.record(
    z.string(),
    z.record(z.string(), z.object({ selected_options: z.array(optionSchema).nullish(), value: z.string().nullish() })),
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
    .array(z.object({ action_id: z.string(), block_id: z.string(), selected_option: optionSchema.nullish() }))
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
  if (block.kind === 'run')
    return action.kind === 'retry' ? { kind: 'retry', thread: block.thread, runId: block.runId } : undefined;
  if (block.kind === 'thread') return action.kind === 'stop' ? { kind: 'stop', thread: block.thread } : undefined;

  const { thread, question } = block;
  switch (action.kind) {
    case 'pick':
      return answer(click, block, { kind: 'answer', options: [action.option] });
    case 'menu':
      if (!clicked.selected_option) return { kind: 'none' };
      return answerWith(click, block, [clicked.selected_option.value]);
    case 'choices':
      return { kind: 'none' };
    case 'submit': {
      const choices = encodeBlock({ kind: 'question', part: 'choices', thread, question });
      const state = click.state?.values[choices]?.[encodeAction({ kind: 'choices' })];
      const values = state?.selected_options?.map((option) => option.value);
      // Nothing ticked is an answer for the check to refuse; no state at all is one that did not arrive.
      return answerWith(click, block, state === undefined ? undefined : (values ?? []));
    }
    case 'write':
      return { kind: 'open_modal', thread, question, triggerId: click.trigger_id, ...cardOf(click) };
    case 'skip':
      return answer(click, block, { kind: 'skip' });
    case 'retry':
    case 'stop':
      return undefined;
  }
}

/** undefined: not the modal of a question of ours, or not a payload that we can read. */
export function readViewSubmission(body: unknown): Submission | undefined {
  const view = submissionSchema.safeParse(body).data?.view;
  const of = view && decodeMetadata(view.private_metadata);
  if (of === undefined) return undefined;
  const text = view?.state?.values[ANSWER_FIELD]?.[ANSWER_INPUT]?.value ?? '';
  if (text.trim() === '') return { kind: 'blank' };
  return { kind: 'answer', ...of, given: { kind: 'answer', options: [], text } };
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
  const channel = click.channel?.id ?? (thread.split(':')[1] as string);
  return { kind: 'answer', thread, question, given, channel, ...cardOf(click) };
}

function cardOf({ container }: Click): { cardTs?: string } {
  const card = container?.type === 'message' && container.is_ephemeral !== true ? container.message_ts : undefined;
  return card === undefined ? {} : { cardTs: card };
}
