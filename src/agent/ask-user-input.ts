/** What a model may give `ask_user`, in all the shapes that models give it, and what of it can be asked. */
import { z } from 'zod';
import type { Option, Question, SelectionMode } from './question.ts';

export const maxOptions = 100;
/** Question, labels and descriptions together: what a Slack message of blocks can hold, with room for the rest. */
export const maxQuestionChars = 11_000;
/** Of those whom a question is put to; it has to leave room for them, where each stands for several. */
const maxTo = 10;
const roomForTo = 500;
const maxToChars = 200;

/** What the model is told. `parseAskUser` takes more: null for absent, Copilot's names, options as strings or as JSON text. */
export const askUserInputSchema = z.object({
  question: z.string().describe('One clear question. Ask one thing; call the tool again for another.'),
  options: z
    .array(
      z.object({
        label: z.string().describe('What the person picks: short, and different from the other labels.'),
        description: z.string().optional().describe('What picking it means.'),
      }),
    )
    .optional()
    .describe(
      'The choices, best first. Leave out for an open question. Add no "Other": free text is offered beside the options.',
    ),
  selectionMode: z
    .enum(['single_select', 'multi_select'])
    .optional()
    .describe('How many options may be picked. Only with options; single_select when left out.'),
  allowFreeform: z
    .boolean()
    .optional()
    .describe('Whether the person may write an answer of their own beside the options. True when left out.'),
  to: z
    .array(z.string())
    .optional()
    .describe(
      'Who is asked, when it is not the person you work for: mentions from their messages as they stand there, such as <@U…> or ' +
        '<!subteam^S…>. Leave out to ask the person you work for.',
    ),
});

export type Asked = { ok: true; question: Question } | { ok: false; problem: string };

const refuse = (problem: string): Asked => ({ ok: false, problem });

export function parseAskUser(args: unknown): Asked {
  if (typeof args !== 'object' || args === null) return refuse('Give an object with a "question".');
  const given = args as Record<string, unknown>;
  const question = given.question;
  if (typeof question !== 'string' || question.trim() === '')
    return refuse('"question" must be a text that is not blank.');

  const options = parseOptions(given.options, 'options');
  if (!options.ok) return refuse(options.problem);
  const choices = parseOptions(given.choices, 'choices');
  if (!choices.ok) return refuse(choices.problem);
  const all = options.options.length > 0 ? options.options : choices.options;

  const mode = given.selectionMode ?? given.selection_mode ?? undefined;
  if (mode !== undefined && mode !== 'single_select' && mode !== 'multi_select') {
    return refuse('"selectionMode" must be "single_select" or "multi_select".');
  }
  const free = parseBoolean(given.allowFreeform ?? given.allow_freeform ?? true);
  if (free === undefined) return refuse('"allowFreeform" must be true or false.');

  const to = parseTo(given.to);
  if (!to.ok) return refuse(to.problem);

  const asked = all.length === 0 ? openQuestion(question, mode, free) : choiceQuestion(question, all, mode, free);
  return asked.ok ? withinLimit(to.to.length > 0 ? { ...asked.question, to: to.to } : asked.question) : asked;
}

function openQuestion(question: string, mode: SelectionMode | undefined, free: boolean): Asked {
  if (mode !== undefined) return refuse('"selectionMode" requires "options": give options, or leave the mode out.');
  if (!free) return refuse('Give "options", or allow free text: nobody could answer this question.');
  return { ok: true, question: { question, allowFreeform: true } };
}

function choiceQuestion(question: string, options: Option[], mode: SelectionMode | undefined, free: boolean): Asked {
  if (options.length > maxOptions) {
    return refuse(
      `There are ${options.length} options; at most ${maxOptions} can be shown. Offer fewer, or ask in two steps.`,
    );
  }
  const seen = new Set<string>();
  for (const { label } of options) {
    const name = label.trim();
    if (name === '') return refuse('Every option needs a "label" that is not blank.');
    if (seen.has(name))
      return refuse(`Two options have the label ${JSON.stringify(name)}. Make every label different.`);
    seen.add(name);
  }
  return { ok: true, question: { question, options, selectionMode: mode ?? 'single_select', allowFreeform: free } };
}

function withinLimit(question: Question): Asked {
  const texts = (question.options ?? []).flatMap(({ label, description }) => [label, description ?? '']);
  const chars = texts.reduce((sum, text) => sum + text.length, question.question.length);
  const most = question.to ? maxQuestionChars - roomForTo : maxQuestionChars;
  if (chars <= most) return { ok: true, question };
  return refuse(
    `Question, labels and descriptions have ${chars} characters together; at most ${most} can be shown. Shorten them.`,
  );
}

type ParsedOptions = { ok: true; options: Option[] } | { ok: false; problem: string };

function parseOptions(given: unknown, name: string): ParsedOptions {
  const problem = `"${name}" must be a list of objects with a "label" text and, if useful, a "description" text.`;
  const list = typeof given === 'string' ? parseJson(given) : given;
  if (list === undefined || list === null)
    return typeof given === 'string' ? { ok: false, problem } : { ok: true, options: [] };
  if (!Array.isArray(list)) return { ok: false, problem };
  const options: Option[] = [];
  for (const item of list) {
    const option = parseOption(item);
    if (!option) return { ok: false, problem };
    options.push(option);
  }
  return { ok: true, options };
}

function parseOption(item: unknown): Option | undefined {
  if (typeof item === 'string') return { label: item };
  if (typeof item !== 'object' || item === null) return undefined;
  const { label, description } = item as Record<string, unknown>;
  if (typeof label !== 'string') return undefined;
  if (description === undefined || description === null) return { label };
  if (typeof description !== 'string') return undefined;
  return description.trim() === '' ? { label } : { label, description };
}

type ParsedTo = { ok: true; to: string[] } | { ok: false; problem: string };

/** One or several, trimmed, each once; none: the person whom the agent serves. */
function parseTo(given: unknown): ParsedTo {
  const problem = '"to" must be a list of texts, each of whom to ask.';
  const list = typeof given === 'string' ? (given.trim().startsWith('[') ? parseJson(given) : [given]) : (given ?? []);
  if (!Array.isArray(list) || !list.every((item) => typeof item === 'string')) return { ok: false, problem };
  const to = [...new Set(list.map((item) => item.trim()))].filter((item) => item !== '');
  if (to.length > maxTo) return { ok: false, problem: `"to" has ${to.length} entries; at most ${maxTo} can be asked.` };
  if (to.some((item) => item.length > maxToChars)) return { ok: false, problem };
  return { ok: true, to };
}

function parseBoolean(given: unknown): boolean | undefined {
  if (typeof given === 'boolean') return given;
  if (given === 'true') return true;
  return given === 'false' ? false : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
