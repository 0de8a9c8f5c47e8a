/** An agent of one's own, as AGENT names it. It can deploy: which is written down beside the store, and then takes for ever. */
import { appendFileSync } from 'node:fs';
import { z } from 'zod';
import { Agent } from '../../src/agent/agent.ts';
import { askUserTool, createTool } from '../../src/agent/tools.ts';
import type { AgentParts } from '../../src/app.ts';

const deploy = createTool({
  id: 'deploy',
  description: 'Deploys a service.',
  inputSchema: z.object({ service: z.string() }),
  execute: async ({ service }) => {
    appendFileSync(`${process.env.STORE_URL?.replace('sqlite://', '')}.deployed`, `${service}\n`);
    await new Promise(() => {});
  },
});

export default ({ model, store }: AgentParts) =>
  new Agent({
    id: 'deployer',
    name: 'Deployer',
    instructions: 'Deploy.',
    model,
    store,
    tools: { askUserTool, deploy },
  });
