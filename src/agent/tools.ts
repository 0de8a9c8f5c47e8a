/** What a module that defines an agent needs of tools (`askback/tools`). */
export { askUserTool, askUserToolWith } from './ask-user.ts';
export { createTool, type Tool, type ToolContext, type ToolDefinition } from './tool.ts';
