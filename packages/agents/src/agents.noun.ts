import { AGENT_SCOPE, noun, type NounBase } from 'tillgate/noun';
import { AgentsServer } from './agents.server.js';
import { AGENT_SETTINGS } from './agents.settings.js';
import { Resources } from './resources.js';
import { ToolCalls } from './tool.calls.js';
import { readDocuments } from './tool.documents.js';
import { toolsOf } from './tool.js';

/** Serves agents by the Model Context Protocol where the setting says so. */
export const agentsNoun = noun({
  settings: AGENT_SETTINGS,
  services: ({ settings, log }: NounBase) => ({ agents: { ...settings.read(AGENT_SETTINGS), log } }),
  endpoints: async ({ agents: { MCP: isServed, MCP_OPERATIONS: folders, log } }, graphql) => {
    if (!isServed) return [];
    const { tools, leftOut } = toolsOf(await readDocuments(folders), graphql);
    for (const reason of leftOut) {
      log.info({ reason }, 'a tool for agents is not served, since the schema lacks what it needs');
    }
    // Clients ask for all scopes that the metadata names, and an agent has to read alone to begin with.
    const reading = [...tools.values()].filter(({ isWrite }) => !isWrite).flatMap(tool => tool.scopes);
    const scopes = [...new Set([AGENT_SCOPE, ...reading])];
    return [new AgentsServer(tools, new ToolCalls(graphql), new Resources(graphql), scopes, log)];
  },
});
