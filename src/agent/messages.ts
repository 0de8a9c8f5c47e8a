/** The transcript: the messages that the model sees. What a run stores is these and nothing of any engine. */
import { z } from 'zod';

export const toolCallSchema = z.object({
  /** Unique in its run; see `uniqueCallIds` in run.ts. */
  id: z.string().min(1),
  name: z.string(),
  /** JSON text, exactly as the model wrote it; it may be no JSON at all. */
  arguments: z.string(),
});
export type ToolCall = z.infer<typeof toolCallSchema>;

/** Shown to a model that can see. `data`: base64. */
export const imageSchema = z.object({
  name: z.string(),
  mediaType: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
  data: z.string(),
});
export type Image = z.infer<typeof imageSchema>;

export const userMessageSchema = z.object({
  role: z.literal('user'),
  content: z.string(),
  /** Where the message came from (for Slack its `ts`): a run takes one id once. */
  id: z.string().optional(),
  images: z.array(imageSchema).exactOptional(),
});
export type UserMessage = z.infer<typeof userMessageSchema>;

export const assistantMessageSchema = z.object({
  role: z.literal('assistant'),
  content: z.string(),
  toolCalls: z.array(toolCallSchema),
});
export type AssistantMessage = z.infer<typeof assistantMessageSchema>;

export const toolMessageSchema = z.object({
  role: z.literal('tool'),
  toolCallId: z.string(),
  content: z.string(),
  isError: z.boolean().optional(),
});
export type ToolMessage = z.infer<typeof toolMessageSchema>;

export const messageSchema = z.discriminatedUnion('role', [
  userMessageSchema,
  assistantMessageSchema,
  toolMessageSchema,
]);
export type Message = z.infer<typeof messageSchema>;
