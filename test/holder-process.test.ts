import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { createHolders } from '../src/holder-process.ts';

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

function start(command: string): ChildProcess {
  const child = spawn('sh', ['-c', command], { stdio: ['ignore', 'pipe', 'ignore'] });
  children.push(child);
  return child;
}

const holders = createHolders(randomUUID);
const begun = (pid: number) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[19];

/** The token that a process with this pid and start would have made here. */
function tokenOf(pid: number, since = begun(pid)): string {
  const [place, , , random] = holders.token().split(':');
  return [place, pid, since, random].join(':');
}

describe.skipIf(process.platform !== 'linux')('a token that names its process', () => {
  test('is another each time, and never gone while its process lives', () => {
    const [one, two] = [holders.token(), holders.token()];
    expect(one).not.toBe(two);
    expect(holders.isGone(one)).toBe(false);
    expect(createHolders(randomUUID).isGone(one)).toBe(false);
  });

  test('is gone when its process was killed, not when it was stopped', async () => {
    const child = start('exec sleep 60');
    await once(child, 'spawn');
    const token = tokenOf(child.pid as number);
    child.kill('SIGSTOP');
    expect(holders.isGone(token)).toBe(false);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(holders.isGone(token)).toBe(true);
  });

  test('is gone when its process is dead and nobody has buried it', async () => {
    // It ends when the shell, which would bury it, has become another program, which will not.
    const child = start('sleep 1 & echo $!; exec sleep 60');
    const [line] = await once(child.stdout as NodeJS.ReadableStream, 'data');
    const pid = Number(line);
    await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8')).toMatch(/\) Z /);
    expect(holders.isGone(tokenOf(pid))).toBe(true);
  });

  test('is gone when its pid has become that of another process', () => {
    expect(holders.isGone(tokenOf(process.pid, '1'))).toBe(true);
  });

  test('tells nothing from another machine or container, or of another form', () => {
    const [, ...rest] = tokenOf(2 ** 22 + 1, '1').split(':');
    expect(holders.isGone(tokenOf(2 ** 22 + 1, '1'))).toBe(true);
    expect(holders.isGone(['0123456789abcdef', ...rest].join(':'))).toBe(false);
    expect(holders.isGone(randomUUID())).toBe(false);
    expect(holders.isGone('')).toBe(false);
  });
});
