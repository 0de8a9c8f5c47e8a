/** Waiting that ends when a signal aborts, also when what is waited for ignores the signal. */

/** Rejects with the signal's reason as soon as it aborts. What `promise` does afterwards is nobody's business. */
export function untilAborted<T>(promise: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).then(() => signal.removeEventListener('abort', onAbort));
  });
}

/** The values of `source` until `signal` aborts; a source that hangs is left where it is. */
export async function* iterateUntilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]();
  let exhausted = false;
  try {
    for (;;) {
      const next = await untilAborted(iterator.next(), signal);
      if (next.done) {
        exhausted = true;
        return;
      }
      yield next.value;
    }
  } finally {
    // Not awaited: a generator that hangs in its `next` would hang here too.
    if (!exhausted) iterator.return?.().then(undefined, () => {});
  }
}
