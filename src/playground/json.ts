import type { Json } from './protocol.ts';

/** A JSON object. */
export type JsonObject = { [key: string]: Json };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value as an object; an empty one when it is something else. */
export function objectOr(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

export function listOr(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

export function stringOr(value: Json | undefined, otherwise = ''): string {
  return typeof value === 'string' ? value : otherwise;
}

/** A deep copy, so that nobody holds a piece of the workspace's own state. */
export function copy<T>(value: T): T {
  return structuredClone(value);
}

/** Parses JSON; undefined when it is not JSON. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
