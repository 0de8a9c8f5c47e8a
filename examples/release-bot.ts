/**
 * An agent of your own: `AGENT=./examples/release-bot.ts npm start`. It has a tool that only reads, one that changes things, and
 * asks before it uses the second.
 */
import { Agent } from 'askback/agent';
import { askUserTool, createTool } from 'askback/tools';
import { z } from 'zod';
import type { AgentParts } from '../src/app.ts';

const versions = new Map([
  ['billing', '2.4.0'],
  ['search', '1.9.3'],
]);

const listServices = createTool({
  id: 'list_services',
  description: 'The services that can be deployed, with the version that runs.',
  inputSchema: z.object({}),
  // It changes nothing, so it may also run beside a question, and again after a crash.
  readOnly: true,
  execute: () => Object.fromEntries(versions),
});

const deploy = createTool({
  id: 'deploy',
  description: 'Deploy a version of a service to an environment.',
  inputSchema: z.object({
    service: z.string(),
    version: z.string(),
    environment: z.enum(['staging', 'production']),
  }),
  execute: ({ service, version, environment }, { signal }) => {
    signal.throwIfAborted();
    if (!versions.has(service))
      throw new Error(`There is no service "${service}". Known: ${[...versions.keys()].join(', ')}.`);
    if (environment === 'production') versions.set(service, version);
    return `${service} ${version} runs in ${environment}.`;
  },
});

export default ({ model, store }: AgentParts) =>
  new Agent({
    id: 'release-bot',
    name: 'Release bot',
    instructions:
      'You deploy services. Look at what runs before you propose anything. Always ask with ask_user which environment, and again before production. Write standard Markdown.',
    model,
    store,
    tools: { askUserTool, listServices, deploy },
  });
