import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    // Generous: what hangs is found all the same, and a busy machine fails nothing.
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
