import { AGENT_SCOPE, noun, type NounBase } from 'tillgate/noun';
import { AGENT_SETTINGS } from './agents.settings.js';
import { readDocuments } from './tool.documents.js';
import { toolsOf } from './tool.js';

/** The services of the packages that tools are about. Each is absent where its package is not served. */
interface OtherPackages {
  readonly apiRequests?: object;
  readonly taxYears?: object;
  readonly webhooks?: object;
}

/** Serves agents by the Model Context Protocol where the setting says so. */
export const agentsNoun = noun({
  settings: AGENT_SETTINGS,
  services: ({ settings, log, apiRequests, taxYears, webhooks }: NounBase & OtherPackages) => {
    const packages = Object.entries({ requests: apiRequests, 'us-tax-forms': taxYears, webhooks });
    return { agents: { ...settings.read(AGENT_SETTINGS), log, packages } };
  },
  endpoints: async ({ agents: { MCP: isServed, MCP_OPERATIONS: folders, log, packages } }, graphql) => {
    if (!isServed) return [];
    for (const [name, service] of packages) {
      if (!service) log.info({ package: name }, 'the tools about a package are left out, since it is not served');
    }
    const present = packages.flatMap(([name, service]) => (service ? [name] : []));
    const tools = toolsOf(await readDocuments(present, folders), graphql);
    // Clients ask for all scopes that the metadata names, and an agent has to read alone to begin with.
    const reading = [...tools.values()].filter(({ isWrite }) => !isWrite).flatMap(tool => tool.scopes);
    const scopes = [...new Set([AGENT_SCOPE, ...reading])];
    // The SDK of the protocol is only loaded by what serves agents.
    const { AgentsServer } = await import('./agents.server.js');
    return [new AgentsServer(graphql, tools, scopes, log)];
  },
});
