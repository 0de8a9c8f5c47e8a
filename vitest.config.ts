import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Whole stories with faults and restarts, minutes in all: `npm run test:long` runs these, `npm test` all others. */
const long = ['boot', 'ends', 'languages', 'restarts', 'slack-faults', 'store-outage', 'streaming'].map(
  (name) => `test/e2e/${name}.test.ts`,
);

/** Those that wait begin first, and the short ones fill what is left. Vitest knows how long a file takes only when it has run it. */
class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const waits = ({ moduleId }: TestSpecification) =>
      Number(/\/test\/(e2e|cli|storage|playground\/page)\//.test(moduleId));
    return (await super.sort(files)).toSorted((a, b) => waits(b) - waits(a));
  }
}

export default defineConfig({
  test: {
    ...(process.env.LONG === 'true' ? { include: long } : { include: ['test/**/*.test.{ts,tsx}'], exclude: long }),
    // No module has a state of its own (ARCHITECTURE.md), so files share a worker and what it has loaded: half the processor's time.
    isolate: false,
    // Most of them wait for servers and clocks, and not for the processor.
    maxWorkers: Math.max(4, availableParallelism()),
    sequence: { sequencer: WaitingFirst },
    // Generous: what hangs is found all the same, and a busy machine fails nothing.
    testTimeout: 150_000,
    hookTimeout: 150_000,
    expect: { poll: { timeout: 20_000 } },
  },
});
