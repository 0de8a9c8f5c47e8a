/** Who holds: each lease has a token of its own, and whoever made it may be known to be dead. */

export type Holders = {
  /** A new token at each call, not to be guessed. */
  token(): string;
  /**
   * Whoever made this token is certainly no longer there: its lease need not be waited for. It means no more than that the lease is
   * over, and what guards against a holder whose lease is over guards against a mistake here.
   */
  isGone(token: string): boolean;
};

/** Nothing is known of anybody: every lease runs its time. */
export const strangers = (id: () => string): Holders => ({ token: id, isGone: () => false });
