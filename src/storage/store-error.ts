/**
 * The store failed, in words for an operator: what happened and what to do. Never carries a URL's password. A write that
 * ends with it has an unknown outcome unless the message says otherwise: read before writing again.
 */
export class StoreError extends Error {
  override name = 'StoreError';
}

/** The message of whatever was thrown; drivers throw AggregateErrors whose own message is empty. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message || error.name : String(error);
}
