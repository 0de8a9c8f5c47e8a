import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createTool, type Tool } from '../../src/agent/tool.ts';
import { createToolbox, maxResultChars, runTool } from '../../src/agent/toolbox.ts';

const context = () => ({ runId: 'r', toolCallId: 'c', signal: new AbortController().signal });
const give = (execute: () => unknown, more: Partial<Tool> = {}) => ({
  ...createTool({ id: 'give', description: 'Gives.', inputSchema: z.object({}), execute }),
  ...more,
});

describe('arguments', () => {
  const deploy = createTool({
    id: 'deploy',
    description: 'Deploys.',
    inputSchema: z.object({
      service: z.string().min(1),
      replicas: z.number().int().optional(),
      note: z.string().nullable(),
      where: z.object({ region: z.string().optional() }).optional(),
    }),
    execute: (input) => input,
  });
  const toolbox = createToolbox([deploy]);
  const understand = (args: string, name = 'deploy') => toolbox.understand({ id: 'c', name, arguments: args });

  test.each<[string, string, unknown]>([
    ['as they are', '{"service":"web","note":"n"}', { service: 'web', note: 'n' }],
    ['null for absent', '{"service":"web","replicas":null,"note":"n"}', { service: 'web', note: 'n' }],
    ['null kept where it fits', '{"service":"web","replicas":null,"note":null}', { service: 'web', note: null }],
    [
      'null for absent, deeper',
      '{"service":"web","note":null,"where":{"region":null}}',
      { service: 'web', note: null, where: {} },
    ],
    ['encoded twice', JSON.stringify('{"service":"web","note":"n"}'), { service: 'web', note: 'n' }],
  ])('%s', async (_, args, input) => {
    expect(await understand(args)).toMatchObject({ kind: 'call', input });
  });

  test.each<[string, string, RegExp]>([
    ['one that is missing', '{"note":"n"}', /do not fit deploy:[\s\S]*service/],
    ['one of another type', '{"service":1,"note":"n"}', /service/],
    ['null where it is needed', '{"service":null,"note":"n"}', /service/],
    ['no JSON', '{"service":"we', /not valid JSON/],
    ['a list', '[]', /do not fit/],
    ['empty', '', /do not fit/],
  ])('%s is a readable problem', async (_, args, text) => {
    expect(await understand(args)).toEqual({ kind: 'problem', text: expect.stringMatching(text) });
  });

  test('an unknown tool is told with the tools that there are', async () => {
    expect(await understand('{}', 'destroy')).toEqual({
      kind: 'problem',
      text: 'There is no tool "destroy". Tools: deploy.',
    });
  });

  test('empty arguments fit a tool without any', async () => {
    const call = { id: 'c', name: 'give', arguments: '' };
    expect(await createToolbox([give(() => 1)]).understand(call)).toMatchObject({ kind: 'call', input: {} });
  });

  test('a schema that throws is a problem of the call', async () => {
    const schema = z.object({}).transform(() => {
      throw new Error('bad transform');
    });
    const tool = createTool({ id: 't', description: '', inputSchema: schema, execute: () => 1 });
    const understood = await createToolbox([tool]).understand({ id: 'c', name: 't', arguments: '{}' });
    expect(understood).toEqual({ kind: 'problem', text: expect.stringContaining('bad transform') });
  });
});

describe('what a tool gives', () => {
  const cycle: { self?: unknown } = {};
  cycle.self = cycle;
  test.each<[string, unknown, RegExp, boolean]>([
    ['a text', 'hello', /^hello$/, false],
    ['an object', { a: [1] }, /^\{"a":\[1\]\}$/, false],
    ['nothing', undefined, /returned nothing/, false],
    ['an empty text', '', /returned nothing/, false],
    ['null', null, /^null$/, false],
    ['a BigInt', { a: 12n }, /^\{"a":"12"\}$/, false],
    ['a cycle', cycle, /cannot be written as JSON/, true],
    ['a function', () => 1, /no text/, true],
    ['a symbol', Symbol('s'), /no text/, true],
    [
      'a throwing toJSON',
      {
        toJSON: () => {
          throw new Error('no');
        },
      },
      /cannot be written as JSON: no/,
      true,
    ],
  ])('%s', async (_, value, text, isError) => {
    expect(
      await runTool(
        give(() => value),
        {},
        context(),
      ),
    ).toEqual({ text: expect.stringMatching(text), isError });
  });

  test('a huge result is cut, and the model is told', async () => {
    const { text } = await runTool(
      give(() => 'x'.repeat(maxResultChars + 7)),
      {},
      context(),
    );
    expect(text.length).toBeLessThan(maxResultChars + 200);
    expect(text).toContain(`7 of ${maxResultChars + 7} characters are left out`);
  });

  test('a cut never parts a character', async () => {
    const { text } = await runTool(
      give(() => `${'x'.repeat(maxResultChars - 1)}😀😀`),
      {},
      context(),
    );
    expect(text.isWellFormed()).toBe(true);
  });

  test.each<[string, unknown, string]>([
    ['an error', new Error('disk full'), 'The tool failed: disk full'],
    ['an error without words', new TypeError(), 'The tool failed: TypeError'],
    ['a text', 'disk full', 'The tool failed: disk full'],
    ['what cannot be written', Object.create(null), 'The tool failed: unknown error'],
  ])('%s that is thrown is an outcome', async (_, thrown, text) => {
    const tool = give(() => {
      throw thrown;
    });
    expect(await runTool(tool, {}, context())).toEqual({ text, isError: true });
  });

  test.each([
    [true, 'The tool did not end within 0.01 seconds.'],
    [false, 'The tool did not end within 0.01 seconds. Its outcome is unknown: check before you call it again.'],
  ])('one that hangs is told its time is over (read-only: %s)', async (readOnly, text) => {
    let told = false;
    const tool: Tool = {
      ...give(() => {}, { readOnly, timeoutMs: 10 }),
      execute: (_, within) => {
        within?.signal.addEventListener('abort', () => (told = true));
        return new Promise(() => {});
      },
    };
    expect(await runTool(tool, {}, context())).toEqual({ text, isError: true });
    expect(told).toBe(true);
  });

  test('a tool may be given for ever', async () => {
    const tool = give(() => new Promise((resolve) => setTimeout(() => resolve('late'), 15)), {
      timeoutMs: Number.POSITIVE_INFINITY,
    });
    expect(await runTool(tool, {}, context())).toEqual({ text: 'late', isError: false });
  });

  test('a stop ends the wait with its reason, and nothing starts after it', async () => {
    const stop = new AbortController();
    let runs = 0;
    const tool = give(() => {
      runs++;
      stop.abort('stopped');
      return new Promise(() => {});
    });
    const stopped = { ...context(), signal: stop.signal };
    await expect(runTool(tool, {}, stopped)).rejects.toBe('stopped');
    await expect(runTool(tool, {}, stopped)).rejects.toBe('stopped');
    expect(runs).toBe(1);
  });
});

describe('a tool that no model could be told of', () => {
  const make = (id: string, inputSchema: z.ZodType) => () =>
    createTool({ id, description: '', inputSchema, execute: () => 1 });
  test('is refused when it is made', () => {
    expect(make('two words', z.object({}))).toThrow(/letters, digits/);
    expect(make('', z.object({}))).toThrow(/letters, digits/);
    expect(make('list', z.array(z.string()))).toThrow(/must be an object/);
    expect(() => createToolbox([give(() => 1), give(() => 2)])).toThrow(/same id/);
  });
});
