/** The sweep's AGENT module: an agent with a tool that reads and two that change the world, which counts what is done to it. */
import { z } from 'zod';
import { Agent } from '../../src/agent/agent.ts';
import { askUserTool, createTool } from '../../src/agent/tools.ts';
import type { AgentParts } from '../../src/app.ts';

async function effect(tool: string, about: { runId: string; toolCallId: string }): Promise<string> {
  const key = `${tool}/${about.runId}/${about.toolCallId}`;
  const response = await fetch(`${process.env.WORLD_URL}/effect/${tool}`, { method: 'POST', body: key });
  if (!response.ok) throw new Error(`The world answered ${response.status}.`);
  return `${tool}: ${await response.text()}`;
}

const lookUp = createTool({
  id: 'look_up',
  description: 'Reads what is deployed.',
  inputSchema: z.object({}),
  readOnly: true,
  execute: () => 'version 7',
});

const changing = (id: string) =>
  createTool({
    id,
    description: 'Changes the world.',
    inputSchema: z.object({}),
    execute: (_, about) => effect(id, about),
  });

export default ({ model, store }: AgentParts): Agent =>
  new Agent({
    id: 'sweep',
    name: 'Sweep',
    instructions: 'Follow the script.',
    model,
    store,
    tools: { lookUp, deploy: changing('deploy'), announce: changing('announce'), askUserTool },
  });
