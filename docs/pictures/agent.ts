/** The agent of the growing reply: it has tools that take their time. */
import { setTimeout as after } from 'node:timers/promises';
import { z } from 'zod';
import { Agent } from '../../src/agent/agent.ts';
import { askUserTool, createTool } from '../../src/agent/tools.ts';
import type { AgentParts } from '../../src/app.ts';

const tool = (id: string, ms: number, result: string) =>
  createTool({
    id,
    description: result,
    inputSchema: z.object({}),
    readOnly: true,
    execute: async () => {
      await after(ms);
      return result;
    },
  });

export default ({ model, store }: AgentParts) =>
  new Agent({
    id: 'pictures',
    name: 'Pictures',
    instructions: 'Follow the script.',
    model,
    store,
    tools: {
      askUserTool,
      readChangeLog: tool('read_change_log', 500, 'Three changes.'),
      runTests: tool('run_tests', 1_000, 'All passed.'),
      comparePrices: tool('compare_prices', 60_000, 'No difference.'),
    },
  });
