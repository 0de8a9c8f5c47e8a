/** The question that a suspended tool call asks, and how it can end. Shapes only; `ask-user.ts` judges answers. */
import { z } from 'zod';

export const optionSchema = z.object({ label: z.string(), description: z.string().optional() });
export type Option = z.infer<typeof optionSchema>;

export const selectionModeSchema = z.enum(['single_select', 'multi_select']);
export type SelectionMode = z.infer<typeof selectionModeSchema>;

/**
 * What `ask_user` suspends with (the Mastra contract): the input with the mode resolved. Without options it is a free
 * text question, has no mode and `allowFreeform` is true.
 */
export const questionSchema = z.object({
  question: z.string(),
  options: z.array(optionSchema).min(1).optional(),
  selectionMode: selectionModeSchema.optional(),
  allowFreeform: z.boolean(),
  /** Who is asked in place of the person whom the agent serves, as the model wrote it: only who shows questions can read it. */
  to: z.array(z.string()).min(1).optional(),
});
export type Question = z.infer<typeof questionSchema>;

/**
 * What a caller may give `resumeStream`: a string (free text, or the label of a single choice), labels (several), Copilot's
 * `{ answer, wasFreeform }`, or option indexes (from 0) with an optional note beside them (what Slack's controls give).
 */
export type Answer =
  | string
  | string[]
  | { answer: string | string[]; wasFreeform?: boolean }
  | { options: number[]; text?: string };

/** What a question ended with. `labels` are always whole labels of the question, in its order. */
export const settlementSchema = z.discriminatedUnion('outcome', [
  /** `labels` empty: free text. Both: an option and a note beside it. At least one of the two is there. */
  z.object({ outcome: z.literal('answered'), labels: z.array(z.string()), text: z.string().optional() }),
  z.object({ outcome: z.literal('dismissed') }),
  z.object({ outcome: z.literal('superseded'), text: z.string() }),
  /** `after`: how long the question was open, in words for the model, such as "2 hours"; `ms`: the same, to be said in any language. */
  z.object({ outcome: z.literal('expired'), after: z.string(), ms: z.number().exactOptional() }),
  z.object({ outcome: z.literal('cancelled') }),
  z.object({ outcome: z.literal('failed'), reason: z.string() }),
]);
export type Settlement = z.infer<typeof settlementSchema>;
