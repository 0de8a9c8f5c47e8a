/** Lines from a person at a terminal, or from a pipe: each line is kept until it is asked for, so none is lost. */
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { markdownLines } from './markdown.ts';

export type Terminal = {
  /** The next line; undefined: there will be none (end of input, or closed). */
  line(prompt: string): Promise<string | undefined>;
  /** As it is, without a line end. Control characters are taken out: a model's text must not steer the terminal. */
  write(text: string): void;
  /** A reply, in pieces, and its line end. A terminal with colours shows its Markdown; elsewhere it is passed on as it is. */
  reply(): { write(text: string): void; end(): void };
  close(): void;
};

export type TerminalOptions = {
  input: Readable;
  output: Writable & { isTTY?: boolean; hasColors?: () => boolean };
  /** Ctrl-C at a terminal; elsewhere it comes to the process as a signal. */
  onInterrupt: () => void;
};

export function createTerminal({ input, output, onInterrupt }: TerminalOptions): Terminal {
  const readline = createInterface({ input, output, terminal: output.isTTY === true });
  const lines: string[] = [];
  let waiting: ((line: string | undefined) => void) | undefined;
  let over = false;

  const tell = (line: string | undefined) => {
    const told = waiting;
    waiting = undefined;
    told?.(line);
  };
  readline.on('line', (line) => {
    if (waiting) tell(line);
    else lines.push(line);
  });
  readline.on('close', () => {
    over = true;
    tell(undefined);
  });
  readline.on('SIGINT', onInterrupt);

  return {
    line(prompt) {
      const kept = lines.shift();
      if (kept !== undefined) {
        output.write(`${prompt}\n`);
        return Promise.resolve(kept);
      }
      if (over) return Promise.resolve(undefined);
      return new Promise((resolve) => {
        waiting = resolve;
        readline.setPrompt(prompt);
        readline.prompt();
      });
    },
    write(text) {
      output.write(printable(text));
    },
    reply() {
      const lines = output.isTTY === true && output.hasColors?.() === true ? markdownLines() : undefined;
      return {
        write(text) {
          // What steers a terminal is taken out first: what is left to do so is ours.
          const seen = printable(text);
          output.write(lines ? lines.push(seen) : seen);
        },
        end() {
          output.write(`${lines?.end() ?? ''}\n`);
        },
      };
    },
    close() {
      readline.close();
      input.destroy();
    },
  };
}

/** Everything but line ends, tabs and what can be seen. */
function printable(text: string): string {
  return text.replace(/(?![\n\t])[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu, '');
}
