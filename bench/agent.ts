/** For AGENT: the bot's agent with a model in process, so that what is measured is the bot and not a model server. */
import { Agent } from '../src/agent/agent.ts';
import { askUserTool } from '../src/agent/tools.ts';
import type { AgentParts } from '../src/app.ts';
import { instantModel } from './job.ts';

export default ({ store }: AgentParts): Agent =>
  new Agent({
    id: 'bench',
    name: 'Bench',
    instructions: 'You are a deploy bot.',
    model: instantModel,
    tools: { askUserTool },
    store,
  });
