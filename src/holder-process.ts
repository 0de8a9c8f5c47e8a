/**
 * Tokens that name their process, so that one that starts on the same machine knows at once that the one before it was killed.
 * Linux only; elsewhere, and of processes of other machines and containers, nothing is known, and their leases run their time.
 */
import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import type { Holders } from './thread/holders.ts';

/** `id` draws the random part of a token. */
export function createHolders(id: () => string): Holders {
  const place = placeOf();
  const begun = place === undefined ? undefined : statOf(process.pid)?.begun;
  return {
    token: () => (begun === undefined ? id() : [place, process.pid, begun, id()].join(':')),
    isGone(token) {
      const [there, pid, since, random] = token.split(':');
      if (begun === undefined || there !== place || since === undefined || random === undefined) return false;
      return isDead(Number(pid), since);
    },
  };
}

/**
 * Where a pid and a start time name one process and no other: this boot of this kernel, and these namespaces. undefined: there is
 * no such place, or /proc shows another one than we are in.
 */
function placeOf(): string | undefined {
  try {
    if (readlinkSync('/proc/self') !== String(process.pid)) return undefined;
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8');
    const namespaces = ['pid', 'time'].map((name) => readlinkSync(`/proc/self/ns/${name}`));
    return createHash('sha256')
      .update([boot, ...namespaces].join())
      .digest('hex')
      .slice(0, 16);
  } catch {
    return undefined;
  }
}

function isDead(pid: number, since: string): boolean {
  const stat = statOf(pid);
  // Killed, and not yet buried by its parent; or its pid is another's now.
  if (stat) return 'ZX'.includes(stat.state) || stat.begun !== since;
  try {
    // /proc may be made to hide the processes of others.
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** `begun`: clock ticks since the boot. undefined: it cannot be read. */
function statOf(pid: number): { state: string; begun: string } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in front may have spaces and brackets of its own.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [state, begun] = [fields[0], fields[19]];
    return state && begun ? { state, begun } : undefined;
  } catch {
    return undefined;
  }
}
