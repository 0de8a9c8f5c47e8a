/** Imports what it is told, in a process that has nothing else; prints JSON. */
import { join } from 'node:path';

const begun = performance.now();
for (const path of process.argv.slice(2)) await import(join(import.meta.dirname, '..', path));
const ms = performance.now() - begun;
console.log(JSON.stringify({ ms, rss: process.memoryUsage().rss / 2 ** 20 }));
process.exit(0);
