import { isObject } from '../json.ts';
import type { Json } from '../protocol.ts';
import { richText } from './rich-text.ts';
import {
  bool,
  type Check,
  characters,
  complain,
  type Fields,
  inside,
  list,
  number,
  object,
  oneOf,
  text,
  typed,
} from './rules.ts';

type MakeBlock = (type: string, required: Fields, optional?: Fields, ...also: Check[]) => Check;

const cell: Check = typed({
  raw_text: object({ type: oneOf('raw_text'), text: text(Number.POSITIVE_INFINITY) }),
  raw_number: object({ type: oneOf('raw_number'), value: number() }, { text: text(Number.POSITIVE_INFINITY) }),
  rich_text: richText,
});

const rowsOf = (value: Json): Json[][] =>
  isObject(value) && Array.isArray(value.rows) ? value.rows.filter((row) => Array.isArray(row)) : [];

const sameLength: Check = (value, place) => {
  const rows = rowsOf(value);
  const columns = rows[0]?.length ?? 0;
  for (const [index, row] of rows.entries()) {
    if (row.length === columns) continue;
    complain(inside(inside(place, 'rows'), index), 'row_shape', `must have ${columns} cells like the first row`);
  }
};

/** All the characters of the cells together. */
function contentWithin(max: number): Check {
  return (value, place) => {
    const total = rowsOf(value)
      .flat()
      .reduce<number>((sum, entry) => sum + characters(cellText(entry)), 0);
    if (total > max) complain(inside(place, 'rows'), 'too_long', `must be less than ${max + 1} characters`);
  };
}

function cellText(value: Json): string {
  if (Array.isArray(value)) return value.map(cellText).join('');
  if (!isObject(value)) return '';
  return typeof value.text === 'string' ? value.text : cellText(value.elements ?? []);
}

const settingsMatch: Check = (value, place) => {
  if (!isObject(value) || !Array.isArray(value.column_settings)) return;
  const columns = rowsOf(value)[0]?.length ?? 0;
  if (value.column_settings.length <= columns) return;
  complain(inside(place, 'column_settings'), 'max_items', `no more than ${columns} items allowed`);
};

/** ≈10,000 characters in all is observed, not documented. */
export function table(block: MakeBlock): Check {
  const setting = object({}, { align: oneOf('left', 'center', 'right'), is_wrapped: bool });
  return block(
    'table',
    { rows: list(list(cell, { min: 1, max: 20 }), { min: 1, max: 100 }) },
    { column_settings: list(setting, { max: 20 }) },
    sameLength,
    settingsMatch,
    contentWithin(10_000),
  );
}

export function dataTable(block: MakeBlock): Check {
  return block(
    'data_table',
    { rows: list(list(cell, { min: 1, max: 20 }), { min: 2, max: 201 }), caption: text(2000) },
    { page_size: number({ min: 1, max: 100 }), row_header_column_index: number({ min: 0, max: 19 }) },
    sameLength,
    contentWithin(20_000),
  );
}
