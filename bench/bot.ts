/** The real bot, as src/main.ts runs it, in a process that also tells its driver when it is ready and what its store wrote. */
import { pino } from 'pino';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { type Counts, counted } from './counted-store.ts';

let counts: Counts = { writes: 0, bytes: 0, reads: 0 };
const app = await createApp(readConfig(process.env), {
  log: pino({ level: process.env.LOG_LEVEL ?? 'silent' }),
  around(store) {
    const around = counted(store);
    counts = around.counts;
    return around.store;
  },
});
process.on('message', (question) => {
  if (question === 'counts') process.send?.({ counts });
  if (question === 'cpu') process.send?.({ cpu: process.cpuUsage() });
});
process.on('SIGTERM', () => void app.stop(5_000).then(() => process.exit(0)));
process.on('disconnect', () => process.exit(1)); // its driver is gone
await app.start();
process.send?.({ ready: { ms: performance.now(), port: app.port() } });
