import { formatsOf } from './formats.ts';
import type { TypedReply, Words } from './words.ts';

const { formats, plural } = formatsOf('en');

const by = (who?: string) => (who === undefined ? '' : ` by ${who}`);
const asked = (who?: string) => (who === undefined ? '' : ` (for ${who})`);

function reply(reply: TypedReply): string {
  if (reply.as === 'text') return 'your answer';
  const choice = {
    label: 'the words of a choice',
    number: 'the number of a choice',
    numbers: 'the numbers of your choices, such as 1, 2',
  }[reply.as];
  return reply.orText ? `${choice}, or in your own words` : choice;
}

export const en: Words = {
  ...formats,
  moment: '{date_short_pretty} at {time}',
  colon: ': ',

  card: {
    question: 'Question',
    questionFor: (who) => `Question for ${who}`,
    askedBy: (who) => `asked by ${who}`,
    place: (position, of) => `${position} of ${of}`,
    answer: { text: 'Answer…', label: 'Answer… in a form' },
    other: { text: 'Other…', label: 'Other… answer in your own words' },
    skip: { text: 'Skip', label: 'Skip this question' },
    withdraw: { text: 'Withdraw', label: 'Withdraw this question, for whoever asked it' },
    submit: { text: 'Submit', label: 'Submit what you picked' },
    pickOne: 'Pick one',
    pickSome: 'Pick some',
    pickAll: 'Pick all that apply, then submit',
    alsoByReply: (how) => `You can also reply in this thread with ${reply(how)}.`,
    onlyByReply: (how, who) =>
      `Please reply in this thread with ${reply(how)}. ${who === undefined ? 'To end the whole run, reply `stop`.' : `${who} can end the whole run, and take this question back with it, by replying \`stop\`.`}`,
  },

  receipt: {
    answered: (who) => `Answered${by(who)}`,
    skipped: (who) => `Skipped${by(who)}`,
    superseded: (who) => `Not answered; ${who ?? 'a message'} changed course`,
    expired: (after) => `Nobody answered within ${after}`,
    cancelled: (who) => `Cancelled${by(who)}`,
    failed: 'Could not be completed',
  },

  modal: {
    answer: 'Your answer',
    otherAnswer: 'Another answer',
    settled: 'Already settled',
    answerField: 'Your answer',
    send: 'Send',
    cancel: 'Cancel',
    close: 'Close',
    blank: 'Write your answer here. To leave the question unanswered, close this and press Skip.',
  },

  form: {
    title: 'Your answers',
    changeTitle: 'Change your answer',
    mayStayEmpty: 'What you leave empty stays open, to be answered later.',
    ownWords: 'In your own words, or a note on your choice',
    answerAll: { text: 'Answer all…', label: 'Answer all… open questions in one form' },
    change: { text: 'Change…', label: 'Change… the answer, for whoever gave it' },
    nothing: 'Answer at least one of the questions, or close this.',
    neither: 'Pick an option or write your answer. To leave the question unanswered, close this and press Skip.',
    settledMeanwhile: 'Your other answers are saved. This was settled before yours arrived:',
  },

  about: {
    title: 'Ask about this message',
    field: 'Your question, or what to do',
    hint: 'I answer in the thread of the message, where everybody can read it.',
    placeholder: 'What does this mean for us?',
    notThere: (bot) =>
      `I am not in this conversation, so I can neither read nor answer there. Invite ${bot} to the channel and try again. A direct message between other people I cannot join.`,
  },

  home: {
    title: { waiting: 'Waiting for you', asked: 'What you asked for' },
    nothingWaits:
      'Nothing is waiting for you. To give me a task, mention me in a channel, or write to me on the Messages tab.',
    working: 'I am working on it',
    asking: (questions) =>
      plural(questions, { one: 'Waiting for an answer', other: `Waiting for ${questions} answers` }),
    failed: 'Stopped by a problem; you can retry',
    openThread: 'Open the thread',
    directMessage: 'Direct message',
    stop: { text: 'Stop', label: 'Stop what I am doing there' },
    stopConfirm: {
      title: 'Stop this?',
      text: 'I end what I am doing in that thread, and its open questions are cancelled.',
      confirm: 'Stop',
      deny: 'Go on',
    },
    previous: { text: 'Previous', label: 'Previous page' },
    next: { text: 'Next', label: 'Next page' },
    page: (page, of) => `Page ${page} of ${of}`,
  },

  post: {
    emptyReply: '_Done; the agent had nothing to add._',
    stopped: (who) => `Stopped${by(who)}.`,
    reminder: (who, question) => `${who}, a question still waits for you here: ${question}`,
    invitation: (who) => `${who} has a question for you:`,
    retry: { text: 'Retry', label: 'Retry: go on from where this stopped' },
    retried: 'Tried again.',
    asked: (who) => `${who} asks about a message in this thread:`,
    feedback: { good: { text: 'Good', label: 'Good reply' }, bad: { text: 'Bad', label: 'Bad reply' } },
    help: [
      'Give me a task: mention me in a channel, or send me a direct message. I work on it in a thread, and reply there.',
      'I read the images and text files that you attach. To ask about a message that is already there, choose “Ask about this message” in its menu.',
      'When something is unclear, or the decision is yours, I ask you in the thread instead of guessing, and wait for as long as it takes.',
      'To have somebody else asked, mention them: “ask @Tomas whether we may ship”. I put the question to them, and only they can answer it.',
      'Answer with the buttons, or type: an option, its number, or your own words where I take them. “Skip” lets me go on without an answer.',
      'To end what I am doing, reply `stop` in the thread.',
    ],
  },

  prompts: {
    title: 'What shall I do?',
    offered: [
      { title: 'How do you work?', message: 'help' },
      { title: 'Plan something with me', message: 'Help me plan something. Ask me what you need to know.' },
      {
        title: 'Write something for me',
        message: 'Help me write something. Ask me who it is for and what it should say.',
      },
      { title: 'Help me decide', message: 'Help me decide between several options. Ask me about them.' },
    ],
  },

  failures: 'as_written',

  whisper: {
    keptForLater(open, requester) {
      const what = plural(open, { one: 'A question is', other: `${open} questions are` });
      return `Noted, but not as an answer: I read your message as soon as I go on. ${what} still open above${asked(requester)}.`;
    },
    alreadySettled: (ending) => `That question is settled already. ${ending}.`,
    severalWait:
      'More than one question waits for you, so I cannot tell which one you mean. Please reply below the message that asks, or answer on my Home tab.',
    unreadable:
      'I can no longer read what I knew of this thread, so nothing was changed. Please start a new thread; whoever runs me finds the reason in my log.',
    notSaved:
      'I could not save that in time. Please try again in a moment; if it went through after all, the card shows it.',
    unknownQuestion: 'I do not know that question (any more), so nothing was changed. Mention me to start again.',
    nothingToStop: 'Nothing is running here, so there is nothing to stop.',
    nothingToRetry: 'There is nothing to try again any more.',
    feedbackNoted: {
      good: 'Thank you, noted.',
      bad: 'Thank you, noted. To have it done better, mention me here and say what was wrong.',
    },
    feedbackUnknown: 'I do not know that reply any more, so I noted nothing.',
    notArrived: 'What you picked did not arrive. Please pick again.',
    formLate: 'That took too long to open. Please click again.',
    formRefused: 'The form could not be opened. Please click again, or write your answer in this thread.',
  },

  refusals: {
    not_requester: (who) =>
      `Only the person who started this${who === undefined ? '' : ` (${who})`} may do that. Nothing was changed.`,
    not_asked: (who) =>
      `${who === undefined ? 'This question is put to somebody else' : `Only ${who} may answer this question`}. Nothing was changed.`,
    not_participant: 'Only people who wrote in this thread may do that. Nothing was changed.',
    guest: 'Guests of this workspace may not use me here. Nothing was changed.',
    external: 'People of other organisations may not use me here. Nothing was changed.',
    unknown_person: 'Slack could not tell me who you are, so I changed nothing. Please try again in a moment.',
    user_not_listed: 'You are not among the people who may use me. Nothing was changed; ask whoever runs me.',
    channel_not_listed: 'I may not work in this channel. Nothing was changed; ask whoever runs me.',
  },

  problems: {
    unreadable: 'I cannot read this answer. Please try again.',
    blank: 'The answer is blank. Please write something.',
    part_blank: 'One of the answers is blank.',
    no_such_option: 'This question has no such option.',
    too_many: 'Pick exactly one option.',
    options_only: 'This question takes only its options. Please pick from them.',
    nothing_picked: (several) => (several ? 'Pick at least one option.' : 'Pick an option.'),
    ambiguous: (text) => `“${text}” fits several options. Please pick one of them.`,
    not_options: (texts) => `Not among the options: ${texts}.`,
    too_long: (characters) => `The answer is too long: at most ${characters} characters.`,
  },

  working: 'is working…',
};
