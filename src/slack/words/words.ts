/**
 * All that we say ourselves, as each language says it. Whoever adds an entry is told by the compiler which languages lack it.
 * Sentences are mrkdwn unless they are said to be plain; what is put into them is safe there already. No emoji: the views add
 * them, and nothing is told by one alone.
 */
import type { AnswerProblem } from '../../agent/answer-problem.ts';
import type { ModelErrorCode } from '../../agent/model.ts';
import type { NotAllowed, ThreadFailure } from '../../thread/ports.ts';
import type { Formats } from './formats.ts';

/** A control's text, and its name for screen readers, which begins with the text so that both are the same thing. Plain. */
export type Control = { text: string; label: string };

/** One click that says something to the bot: what is on it, and what it says. Plain. */
export type Prompt = { title: string; message: string };

/** What a typed reply may be. `orText`: or anything else. */
export type TypedReply = { as: 'text' } | { as: 'label' | 'number' | 'numbers'; orText: boolean };

/** The failures that we know: the model's, the agent's own, the conversation's. */
export type FailureCode = ModelErrorCode | 'store' | 'internal' | ThreadFailure['code'];

/** Problems with nothing more to tell than that. */
type PlainProblem = Exclude<AnswerProblem['kind'], 'nothing_picked' | 'ambiguous' | 'not_options' | 'too_long'>;

export type Words = Formats & {
  /** Slack's date pattern: `{date_short_pretty}` and `{time}`, which Slack fills in for each reader. */
  moment: string;
  /** Between "Question" and what it is. */
  colon: string;

  card: {
    /** Plain. */
    question: string;
    /** `who`: one or several, as a list. */
    questionFor(who: string): string;
    askedBy(who: string): string;
    place(position: number, of: number): string;
    answer: Control;
    other: Control;
    skip: Control;
    withdraw: Control;
    submit: Control;
    /** Placeholders of menus, and the label above choices. Plain. */
    pickOne: string;
    pickSome: string;
    pickAll: string;
    /** The way beside the controls, and the only one of a card without. */
    alsoByReply(reply: TypedReply): string;
    /** `requester`: whose run it is, when it is put to others, and who can take it back. */
    onlyByReply(reply: TypedReply, requester?: string): string;
  };

  /** How a question ended. Without a full stop: a time or the answer follows. */
  receipt: {
    answered(by?: string): string;
    skipped(by?: string): string;
    superseded(by?: string): string;
    expired(after: string): string;
    cancelled(by?: string): string;
    failed: string;
  };

  /** Plain; titles and buttons have at most 24 characters. */
  modal: {
    answer: string;
    otherAnswer: string;
    settled: string;
    answerField: string;
    send: string;
    cancel: string;
    close: string;
    blank: string;
  };

  /** What leads to a form, and what it says of several questions. Plain, but for `mayStayEmpty` and `settledMeanwhile`. */
  form: {
    /** Titles have at most 24 characters. */
    title: string;
    changeTitle: string;
    mayStayEmpty: string;
    /** The field beside a choice. */
    ownWords: string;
    answerAll: Control;
    change: Control;
    /** Nothing was entered: for any of several questions, or for one that has options. */
    nothing: string;
    neither: string;
    /** Above those that others settled first. */
    settledMeanwhile: string;
  };

  /** The form of the shortcut on a message. Plain, but for `notThere`; the title has at most 24 characters. */
  about: { title: string; field: string; hint: string; placeholder: string; notThere(bot: string): string };

  home: {
    /** Plain, as what the Stop button asks and says is. */
    title: { waiting: string; asked: string };
    nothingWaits: string;
    /** What a run is at. */
    working: string;
    asking(questions: number): string;
    failed: string;
    openThread: string;
    directMessage: string;
    stop: Control;
    stopConfirm: { title: string; text: string; confirm: string; deny: string };
    previous: Control;
    next: Control;
    page(page: number, of: number): string;
  };

  post: {
    /** Markdown. */
    emptyReply: string;
    stopped(by?: string): string;
    /** `who`: one or several, as a list. */
    reminder(who: string, question: string): string;
    /** Above the question, in the direct message to a person whom it is put to. */
    invitation(who: string): string;
    retry: Control;
    /** Of a failure whose Retry was used. */
    retried: string;
    /** Before what was asked. */
    asked(who: string): string;
    feedback: { good: Control; bad: Control };
    /** What it does; what it reads; how it asks; whom; how to answer; how to end it. */
    help: readonly [string, string, string, string, string, string];
  };

  /** What an empty chat with the bot offers: above the prompts, and four at most. Plain; `help` is the word that asks for help. */
  prompts: { title: string; offered: readonly Prompt[] };

  /** Plain. `as_written`: the failures' own sentences are in this language. */
  failures: Readonly<Record<FailureCode, string>> | 'as_written';

  whisper: {
    keptForLater(open: number, asked?: string): string;
    alreadySettled(ending: string): string;
    /** An answer in a direct message, and more than one question that it could be for. */
    severalWait: string;
    notSaved: string;
    unreadable: string;
    unknownQuestion: string;
    nothingToStop: string;
    nothingToRetry: string;
    feedbackNoted: { good: string; bad: string };
    feedbackUnknown: string;
    notArrived: string;
    formLate: string;
    formRefused: string;
  };

  refusals: Readonly<Record<Exclude<NotAllowed, 'not_requester' | 'not_asked'>, string>> & {
    not_requester(requester?: string): string;
    not_asked(asked?: string): string;
  };

  problems: Readonly<Record<PlainProblem, string>> & {
    nothing_picked(several: boolean): string;
    ambiguous(text: string): string;
    not_options(texts: string): string;
    too_long(characters: string): string;
  };

  /** Behind the bot's name: "is working…". Plain, under 50 characters. */
  working: string;
};
