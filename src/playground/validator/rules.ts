import { isObject, type JsonObject } from '../json.ts';
import type { Json } from '../protocol.ts';

/** Where a payload is shown; some blocks exist only on some surfaces. */
export type Surface = 'message' | 'modal' | 'home';

/** One violation. `message` is in Slack's words; `code` and `constraint` are the structured form of `blocks.validate`. */
export type Problem = { code: string; message: string; pointer: string; field?: string; constraint?: JsonObject };

/** Where a check stands in the payload, and where it reports: all violations are collected, not only the first. */
export type Place = { pointer: string; surface: Surface; problems: Problem[] };

export type Check = (value: Json, place: Place) => void;

export function inside(place: Place, key: string | number): Place {
  return { ...place, pointer: `${place.pointer}/${key}` };
}

export function complain(place: Place, code: string, message: string, more: Partial<Problem> = {}): void {
  place.problems.push({ code, message, pointer: place.pointer, ...more });
}

/** Characters as Slack counts them in its limits: code points, so that an emoji is one (fixtures at the limit). */
export function characters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** A string of `min` (1 unless told) to `max` characters. */
export function text(max: number, { min = 1, pattern }: { min?: number; pattern?: RegExp } = {}): Check {
  return (value, place) => {
    if (typeof value !== 'string') return complain(place, 'wrong_type', 'must provide a string');
    const length = characters(value);
    if (length < min) {
      complain(place, 'too_short', `must be more than ${min - 1} characters`, {
        constraint: { type: 'min_length', expected: min, got: length },
      });
    } else if (length > max) {
      complain(place, 'too_long', `must be less than ${max + 1} characters`, {
        constraint: { type: 'max_length', expected: max, got: length },
      });
    } else if (pattern && !pattern.test(value)) {
      complain(place, 'pattern', `input must match regex pattern: ${pattern.source}`);
    }
  };
}

export const bool: Check = (value, place) => {
  if (typeof value !== 'boolean') complain(place, 'wrong_type', 'must provide a boolean');
};

export function number({ min, max, above }: { min?: number; max?: number; above?: number } = {}): Check {
  return (value, place) => {
    if (typeof value !== 'number') return complain(place, 'wrong_type', 'must provide a number');
    if (min !== undefined && value < min) complain(place, 'out_of_range', `must be greater than ${min - 1}`);
    if (above !== undefined && value <= above) complain(place, 'out_of_range', `must be greater than ${above}`);
    if (max !== undefined && value > max) complain(place, 'out_of_range', `must be less than ${max + 1}`);
  };
}

export function oneOf(...expected: string[]): Check {
  return (value, place) => {
    if (typeof value === 'string' && expected.includes(value)) return;
    complain(place, 'enum', `must be one of: ${expected.join(', ')}`, { constraint: { type: 'enum', expected } });
  };
}

export const anyObject: Check = (value, place) => {
  if (!isObject(value)) complain(place, 'wrong_type', 'must provide an object');
};

export function list(item: Check, { min = 0, max }: { min?: number; max?: number } = {}): Check {
  return (value, place) => {
    if (!Array.isArray(value)) return complain(place, 'wrong_type', 'must provide an array');
    if (max !== undefined && value.length > max) {
      complain(place, 'max_items', `no more than ${max} items allowed`, {
        constraint: { type: 'max_items', expected: max, got: value.length },
      });
    }
    if (value.length < min) {
      complain(place, 'min_items', `no fewer than ${min} items allowed`, {
        constraint: { type: 'min_items', expected: min, got: value.length },
      });
    }
    for (const [index, entry] of value.entries()) item(entry, inside(place, index));
  };
}

export type Fields = { [field: string]: Check };

/** An object of exactly these fields; `also` are checks of the object as a whole. */
export function object(required: Fields, optional: Fields = {}, ...also: Check[]): Check {
  return (value, place) => {
    if (!isObject(value)) return complain(place, 'wrong_type', 'must provide an object');
    for (const [field, check] of Object.entries(required)) {
      if (value[field] !== undefined) check(value[field], inside(place, field));
      else complain(place, 'missing_field', `missing required field: ${field}`, { field });
    }
    for (const [field, entry] of Object.entries(value)) {
      if (Object.hasOwn(required, field)) continue;
      if (Object.hasOwn(optional, field)) optional[field]?.(entry, inside(place, field));
      else complain(place, 'additional_property', `invalid additional property: ${field}`, { field });
    }
    for (const check of also) check(value, place);
  };
}

/** An object that is told from its neighbours by its `type`. */
export function typed(checks: { [type: string]: Check }): Check {
  return (value, place) => {
    if (!isObject(value)) return complain(place, 'wrong_type', 'must provide an object');
    if (value.type === undefined) {
      return complain(place, 'missing_field', 'missing required field: type', { field: 'type' });
    }
    const check = typeof value.type === 'string' && Object.hasOwn(checks, value.type) ? checks[value.type] : undefined;
    if (check) return check(value, place);
    complain(place, 'schema', 'failed to match all allowed schemas');
    complain(
      inside(place, 'type'),
      'unsupported_type',
      `unsupported type: ${typeof value.type === 'string' ? value.type : JSON.stringify(value.type)}`,
      {
        constraint: { type: 'enum', expected: Object.keys(checks) },
      },
    );
  };
}

/** Where several schemas are possible, Slack names the whole before the part that failed. */
export function amongSchemas(check: Check): Check {
  return (value, place) => {
    const problems: Problem[] = [];
    check(value, { ...place, problems });
    if (problems.length === 0) return;
    complain(place, 'schema', 'failed to match all allowed schemas');
    place.problems.push(...problems);
  };
}

/** Exactly one (or, with `atLeast`, one or more) of these fields. */
export function oneField(fields: string[], { atLeast = false } = {}): Check {
  const names = fields.map((field) => `\`${field}\``).join(' or ');
  return (value, place) => {
    const present = fields.filter((field) => isObject(value) && value[field] !== undefined).length;
    if (present === 0) complain(place, 'missing_field', `must define either ${names}`);
    else if (present > 1 && !atLeast) complain(place, 'exclusive', `must define only one of ${names}`);
  };
}
