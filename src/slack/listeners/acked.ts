/** Every interaction is acked, whatever becomes of it. */
import type { Log } from '../log.ts';

/** Acks once, at the latest when the work is over. Without an ack the person sees a warning sign and we never hear why. */
export async function alwaysAcked<R>(
  ack: (response?: R) => Promise<void>,
  work: (ack: (response?: R) => Promise<void>) => Promise<unknown>,
  log: Log,
): Promise<void> {
  let acked = false;
  const once = async (response?: R): Promise<void> => {
    if (acked) return;
    acked = true;
    await ack(response).catch((error: unknown) => log.warn({ reason: String(error) }, 'an ack did not reach Slack'));
  };
  try {
    await work(once);
  } catch (error) {
    log.error({ reason: error instanceof Error ? error.stack : String(error) }, 'a click was not handled');
  } finally {
    await once();
  }
}
