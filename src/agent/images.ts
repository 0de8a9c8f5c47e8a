/** The images of a transcript: how many a model is shown, and what it reads in place of the others. Pure. */
import type { Message } from './messages.ts';

/** Servers take some images in a request and no more; what was shown last is what is spoken of. */
export const maxImages = 8;

/** Why an image is not shown, as the model reads it. */
export const unseen = {
  room: 'it was left out to make room',
  blind: 'this model cannot be shown images; say so if it matters',
};

export function hasImages(messages: readonly Message[]): boolean {
  return messages.some((message) => message.role === 'user' && message.images !== undefined);
}

/** With the latest `most` images; in place of each other one a note that says why. */
export function showing(messages: readonly Message[], most: number, why: string): Message[] {
  let room = most;
  return messages
    .toReversed()
    .map((message): Message => {
      if (message.role !== 'user' || !message.images) return message;
      const { images, ...rest } = message;
      const shown = images.slice(0, room);
      room -= shown.length;
      const notes = images.slice(shown.length).map(({ name }) => `[The image ${name} is not shown to you: ${why}.]`);
      const content = [rest.content, ...notes].join('\n');
      return { ...rest, content, ...(shown.length > 0 && { images: shown }) };
    })
    .reverse();
}
