/** The page's colours: whatever is written can be read (WCAG AA), where one is can be seen, and the dark ones are the same by wish and by toggle. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const css = readFileSync(new URL('../../../src/playground/page/styles/base.css', import.meta.url), 'utf8');
type Palette = { [name: string]: string };
const [light = {}, toggled = {}, wished = {}] = [...css.matchAll(/:root[^{]*\{([^{}]*)\}/g)].map(
  ([, body = '']): Palette =>
    Object.fromEntries([...body.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name, value])),
);

/** Of 0 to 1, as WCAG has it. */
function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

const grounds = [
  'bg',
  'bg-side',
  'bg-raised',
  'bg-hover',
  'bg-code',
  'accent-soft',
  'danger-soft',
  'warn-soft',
  'good-soft',
];
const inks = ['text', 'text-soft', 'link', 'danger', 'warn', 'good'];
const pairs: [ink: string, ground: string, least: number][] = [
  ...inks.flatMap((ink) => grounds.map((ground): [string, string, number] => [ink, ground, 4.5])),
  ['on-accent', 'accent', 4.5],
  ['on-accent', 'accent-strong', 4.5],
  // No words: the edge of a field, and what has the focus.
  ...['line-field', 'accent'].flatMap((line) =>
    ['bg', 'bg-raised'].map((ground): [string, string, number] => [line, ground, 3]),
  ),
  ['accent', 'accent-soft', 3],
];

describe.each([
  ['light', light],
  ['dark', toggled],
])('%s', (_, palette) => {
  test.each(pairs)('%s on %s: at least %d', (ink, ground, least) => {
    expect(contrast(palette[ink] ?? '', palette[ground] ?? '')).toBeGreaterThanOrEqual(least);
  });
});

test('dark is the same by the system\u2019s wish and by the toggle', () => {
  expect(Object.keys(light).length).toBeGreaterThan(20);
  expect(Object.keys(toggled)).toEqual(Object.keys(light));
  expect(wished).toEqual(toggled);
});
