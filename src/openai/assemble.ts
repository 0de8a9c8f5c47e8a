/** Puts tool calls together from deltas. Servers that are only nearly compatible decide its rules; each has a row in its tests. */
import type { CallDelta } from './chunk.ts';

export type AssembledCall = { id?: string; name: string; arguments: string };

type Open = { index?: number; id?: string; name: string; arguments: string };

/** Pure: the calls so far and a delta give the next calls. The last of an index or an id is the one that goes on. */
export function addDelta(calls: readonly Open[], delta: CallDelta): Open[] {
  const at = targetOf(calls, delta);
  const target = calls[at];
  if (target && repeats(target, delta)) return [...calls];
  if (!target || begins(target, delta)) return [...calls, { ...delta, name: delta.name || (target?.name ?? '') }];
  const next: Open = {
    ...target,
    ...(target.id === undefined && delta.id !== undefined && { id: delta.id }),
    name: goesOn(target, delta) ? target.name + delta.name : target.name || delta.name,
    arguments: target.arguments + delta.arguments,
  };
  return calls.with(at, next);
}

/** The calls whole: no arguments at all are an empty object; text that is no JSON stays as the model wrote it. */
export function assembled(calls: readonly Open[]): AssembledCall[] {
  return calls.map((call) => ({
    ...(call.id !== undefined && { id: call.id }),
    name: call.name,
    arguments: call.arguments.trim() === '' ? '{}' : call.arguments,
  }));
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The call that a delta most likely belongs to, if it does not begin one: by index, by id, or the one spoken of last. */
function targetOf(calls: readonly Open[], delta: CallDelta): number {
  const byIndex = delta.index === undefined ? -1 : calls.findLastIndex((call) => call.index === delta.index);
  if (byIndex >= 0) return byIndex;
  const byId = delta.id === undefined ? -1 : calls.findLastIndex((call) => call.id === delta.id);
  // A name at an index that is new begins a call, whatever its id: ids are repeated, indexes are not.
  if (delta.index !== undefined && delta.name !== '' && calls.every((call) => call.index !== undefined)) return -1;
  return byId >= 0 ? byId : calls.length - 1;
}

/** Whether the delta is the first of another call although there is a call that it could belong to. */
function begins(target: Open, delta: CallDelta): boolean {
  const another = delta.name !== '' && target.name !== '' && delta.name !== target.name;
  if (another) return !goesOn(target, delta);
  const otherId = delta.id !== undefined && target.id !== undefined && delta.id !== target.id;
  const opens = delta.arguments.trimStart().startsWith('{');
  // An object that is whole cannot go on: the next one belongs to the next call of the same tool.
  if (isJson(target.arguments)) return opens || (otherId && delta.name !== '');
  // Else the same call, in a server that repeats the name or draws an id for each delta, unless ids are all that tells calls apart.
  return delta.index === undefined && otherId && delta.name !== '' && (opens || delta.arguments === '');
}

/** The whole call once more, as some servers end it: not a second one, which might do something twice. */
function repeats(target: Open, delta: CallDelta): boolean {
  const same = delta.id !== undefined && delta.id === target.id && (delta.name === '' || delta.name === target.name);
  return same && delta.arguments === target.arguments && isJson(target.arguments);
}

/** A name that comes in pieces: the same index, not another id, and no arguments yet. */
function goesOn(target: Open, delta: CallDelta): boolean {
  const otherId = delta.id !== undefined && delta.id !== target.id;
  return (
    delta.name !== '' &&
    target.name !== '' &&
    delta.name !== target.name &&
    delta.index !== undefined &&
    delta.index === target.index &&
    !otherId &&
    target.arguments === ''
  );
}
