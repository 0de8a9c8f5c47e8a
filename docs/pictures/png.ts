/** PNGs with a palette: a third of the bytes, and for pictures of text nobody sees the difference. */
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const COLOURS = 256;
/** Squared distance of two colours that are nearly alike. */
const ALIKE = 250;

type Pixels = { width: number; height: number; colours: Uint32Array };

/** The picture with 256 of its colours, every other one as the nearest of them. Takes what Chromium makes: 8 bits, RGB or RGBA. */
export function withPalette(png: Buffer): Buffer {
  const { width, height, colours } = decode(png);
  const counts = new Map<number, number>();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const palette = paletteOf([...counts].sort(([, a], [, b]) => b - a).map(([colour]) => colour));
  const index = new Map([...counts.keys()].map((colour) => [colour, nearest(palette, colour)]));

  // Each line begins with its filter: none, which is best for indexes.
  const lines = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      lines[y * (width + 1) + x + 1] = index.get(colours[y * width + x] as number) ?? 0;
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3, 0, 0, 0], 8);
  const parts = [chunk('IHDR', head), chunk('PLTE', Buffer.from(palette.flatMap(channels)))];
  return Buffer.concat([
    SIGNATURE,
    ...parts,
    chunk('IDAT', deflateSync(lines, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The most frequent first; of those that are nearly alike one, as long as others wait, so that an emoji keeps its colours. */
function paletteOf(byFrequency: readonly number[]): number[] {
  const apart: number[] = [];
  for (const colour of byFrequency) {
    if (apart.length === COLOURS) break;
    if (apart.length === 0 || distance(apart[nearest(apart, colour)] as number, colour) > ALIKE) apart.push(colour);
  }
  const chosen = new Set(apart);
  return [...apart, ...byFrequency.filter((colour) => !chosen.has(colour)).slice(0, COLOURS - apart.length)];
}

const channels = (colour: number) => [colour >> 16, (colour >> 8) & 255, colour & 255];

function nearest(palette: readonly number[], colour: number): number {
  let [best, least] = [0, Number.POSITIVE_INFINITY];
  for (const [index, candidate] of palette.entries()) {
    const away = distance(candidate, colour);
    if (away < least) [best, least] = [index, away];
  }
  return best;
}

function distance(a: number, b: number): number {
  return ((a >> 16) - (b >> 16)) ** 2 + (((a >> 8) & 255) - ((b >> 8) & 255)) ** 2 + ((a & 255) - (b & 255)) ** 2;
}

function decode(png: Buffer): Pixels {
  const data: Buffer[] = [];
  let [width, height, size] = [0, 0, 0];
  for (let at = SIGNATURE.length; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    const body = png.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR') {
      [width, height] = [body.readUInt32BE(0), body.readUInt32BE(4)];
      size = body[9] === 6 ? 4 : 3;
      if (body[8] !== 8 || ![2, 6].includes(body[9] ?? 0) || body[12] !== 0)
        throw new Error('Not a PNG of 8 bits, RGB or RGBA.');
    }
    if (type === 'IDAT') data.push(body);
    at += length + 12;
  }
  return { width, height, colours: unfiltered(inflateSync(Buffer.concat(data)), width, height, size) };
}

/** Undoes what PNG does to each line (https://www.w3.org/TR/png-3/#9Filters). */
function unfiltered(raw: Buffer, width: number, height: number, size: number): Uint32Array {
  const bytes = width * size;
  const colours = new Uint32Array(width * height);
  let above = new Uint8Array(bytes);
  for (let y = 0; y < height; y += 1) {
    const start = y * (bytes + 1);
    const filter = raw[start];
    const line = new Uint8Array(bytes);
    for (let i = 0; i < bytes; i += 1) {
      const left = i < size ? 0 : (line[i - size] as number);
      const up = above[i] as number;
      const corner = i < size ? 0 : (above[i - size] as number);
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter ?? 0] ?? 0;
      line[i] = (raw[start + 1 + i] as number) + guess;
    }
    for (let x = 0; x < width; x += 1) {
      const [r = 0, g = 0, b = 0] = line.subarray(x * size, x * size + 3);
      colours[y * width + x] = (r << 16) | (g << 8) | b;
    }
    above = line;
  }
  return colours;
}

function paeth(left: number, up: number, corner: number): number {
  const [toLeft, toUp, toCorner] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

function chunk(type: string, body: Buffer): Buffer {
  const name = Buffer.from(type, 'latin1');
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length);
  check.writeUInt32BE(crc32(Buffer.concat([name, body])));
  return Buffer.concat([length, name, body, check]);
}
