/** What may wait in a thread's record. Past a limit the person is told, or the model reads a notice; nothing is lost unseen. */
export type Limits = {
  /** Characters of one message; the rest is cut, and the model reads that it was. An answer may be as long (`maxAnswerChars`). */
  messageChars: number;
  /** Messages to the bot that wait, and their characters together. Past either a message is refused and its writer told. */
  waiting: number;
  waitingChars: number;
  /** Other messages of the thread, and their characters together; the oldest leave, and the model reads how many. */
  context: number;
  contextChars: number;
  /** Ids of messages of the last hours. With so many in so little time further ones are refused. */
  seen: number;
  /** Settled questions of earlier steps that can still say what they ended with, and their characters together. */
  past: number;
  pastChars: number;
  /** Characters of a reply; the rest is cut, and the reply says so. */
  replyChars: number;
  participants: number;
  /** What was said in a thread before: messages, their characters together, and of one. What is between is left out, and counted. */
  earlier: number;
  earlierChars: number;
  earlierMessageChars: number;
  /** Files that are read for one turn; images among them; characters of text files together. The others are named. */
  files: number;
  images: number;
  fileChars: number;
};

export const defaultLimits: Limits = {
  messageChars: 20_000,
  waiting: 50,
  waitingChars: 200_000,
  context: 50,
  contextChars: 40_000,
  seen: 2_000,
  past: 20,
  pastChars: 40_000,
  replyChars: 100_000,
  participants: 200,
  earlier: 100,
  earlierChars: 40_000,
  earlierMessageChars: 8_000,
  files: 8,
  images: 4,
  fileChars: 60_000,
};

export function cutMessage(text: string, limits: Limits): string {
  return cutTo(text, limits.messageChars);
}

/** At most `chars`, with a notice in place of the rest. */
export function cutTo(text: string, chars: number, what = 'message'): string {
  if (text.length <= chars) return text;
  const notice = `\n[The rest of this ${what} was cut: it has ${text.length} characters.]`;
  return whole(text, chars - notice.length) + notice;
}

export function cutReply(text: string, limits: Limits): string {
  if (text.length <= limits.replyChars) return text;
  return `${whole(text, limits.replyChars)}\n\n(This reply was cut here: it has ${text.length} characters.)`;
}

/** At most `chars`, never half of a surrogate pair. */
function whole(text: string, chars: number): string {
  const last = text.charCodeAt(chars - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? chars - 1 : chars);
}
