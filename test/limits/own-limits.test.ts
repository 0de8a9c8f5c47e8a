/** Every limit of our own: what the real code makes of what meets it exactly, and of one more. */
import { describe, expect, test } from 'vitest';
import { ownLimits } from './own-limits.ts';

describe.each(ownLimits)('$title', ({ rows }) => {
  test.each(rows)('$limit $unit: $what', async ({ limit, see, exact, over }) => {
    expect(await see(limit), 'exactly').toEqual(exact);
    expect(await see(limit + 1), 'one more').toEqual(over);
  });
});
