import { createHash } from 'node:crypto';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

export type Ids = {
  /** An id such as Slack's: the prefix and 10 capital letters and digits. */
  next(prefix: string): string;
  /** Lower-case hexadecimal, such as the tail of a trigger id. */
  hex(length: number): string;
  uuid(): string;
};

/** The same seed gives the same ids in the same order; another seed gives others, so that two workspaces never share an id. */
export function createIds(seed: string): Ids {
  let count = 0;
  const draw = () => {
    count += 1;
    return createHash('sha256').update(`${seed}:${count}`).digest();
  };
  return {
    next: (prefix) => prefix + Array.from(draw().subarray(0, 10), (byte) => LETTERS[byte % LETTERS.length]).join(''),
    hex: (length) => draw().toString('hex').slice(0, length),
    uuid() {
      const hex = draw().toString('hex');
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
    },
  };
}
