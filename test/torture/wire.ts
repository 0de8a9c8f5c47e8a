/** Calls between the processes of a torture run, both ways. What a dead or stopped process was asked ends in a failure. */
import type { Serializable } from 'node:child_process';

export type Wire = { call(method: string, args: unknown[]): Promise<unknown> };

type Frame =
  | { kind: 'call'; id: number; method: string; args: unknown[] }
  | { kind: 'answer'; id: number; value?: unknown; problem?: string };

export class NoAnswerError extends Error {}

/** `patience`: ms that an answer is waited for. */
export function createWire(
  end: { send(frame: Serializable): void; listen(heard: (frame: unknown) => void): void },
  serve: (method: string, args: unknown[]) => Promise<unknown>,
  patience: number,
): Wire {
  const waiting = new Map<number, (frame: Extract<Frame, { kind: 'answer' }>) => void>();
  let last = 0;

  async function answer({ id, method, args }: Extract<Frame, { kind: 'call' }>): Promise<void> {
    const frame: Frame = await serve(method, args).then(
      (value) => ({ kind: 'answer', id, value }),
      (error: unknown) => ({ kind: 'answer', id, problem: String(error) }),
    );
    end.send(frame);
  }

  end.listen((heard) => {
    const frame = heard as Frame;
    if (frame.kind === 'call') void answer(frame);
    else waiting.get(frame.id)?.(frame);
  });

  return {
    call(method, args) {
      const id = ++last;
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(id);
          reject(new NoAnswerError(`No answer to ${method}.`));
        }, patience);
        waiting.set(id, ({ value, problem }) => {
          clearTimeout(timer);
          waiting.delete(id);
          if (problem === undefined) resolve(value);
          else reject(new Error(problem));
        });
        end.send({ kind: 'call', id, method, args } as Serializable);
      });
    },
  };
}
