/**
 * A record that cannot be used: broken, or of a later version. By its name: the port promises it, and its class is the store's. Trying
 * again does not make it readable.
 */
export function isUnreadable(error: unknown): boolean {
  return error instanceof Error && error.name === 'UnreadableRecordError';
}
