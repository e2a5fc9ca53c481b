import type { SettingGroup } from 'tillgate/noun';

/** The most folders of operations that a bank adds. */
const MAX_FOLDERS = 10;

export const AGENT_SETTINGS = {
  heading: 'Agents',
  settings: {
    MCP: {
      flag: false,
      about:
        'Serves [agents](agents.md) at `/mcp`, by the Model Context Protocol. They read, and what they want to change waits until a person approves it.',
    },
    MCP_OPERATIONS: {
      list: MAX_FOLDERS,
      about:
        'The folders of GraphQL documents (`*.graphql`) that agents get as tools besides those of the gateway, separated by commas. One that does not fit the schema refuses the start.',
      unset: 'the tools of the gateway alone',
      example: '/etc/tillgate/mcp',
    },
  },
} as const satisfies SettingGroup;
