import { readConfig } from '../../../src/app/config.js';
import type { GraphqlSettings } from '../../../src/platform/graphql/settings.js';

/** The settings of GraphQL, as the environment would give them. */
export function graphqlSettings(env: Record<string, string>): { graphql: GraphqlSettings } {
  return { graphql: readConfig(env).graphql };
}
