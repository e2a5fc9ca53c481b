import { resolve } from 'node:path';
import type { PlaceLimits } from '../workers/limits.js';

/** Limits on an operation. Each is checked before the first resolver runs. */
export interface GraphqlLimits {
  /** Levels of fields. */
  readonly maxDepth: number;
  /** In the units of `cost.ts`. */
  readonly maxCost: number;
  /** Response names of one field in one object. */
  readonly maxAliases: number;
  readonly maxRootFields: number;
  /** Fragment definitions in a document. */
  readonly maxFragments: number;
  /** Tokens of a document, counted by the parser. */
  readonly maxTokens: number;
}

export interface GraphqlSettings {
  readonly limits: GraphqlLimits;
  /** How many subscriptions are open at most. The sockets of a client are bounded by the same number. */
  readonly subscriptions: PlaceLimits;
  /** How long an operation may run. */
  readonly timeoutMs: number;
  /** Whether introspection is answered, and errors suggest names of the schema. */
  readonly introspection: boolean;
  /** Whether a browser gets Apollo Sandbox and GraphiQL. */
  readonly explorer: boolean;
  /** Whether the schema is a subgraph of Apollo Federation 2. */
  readonly federation: boolean;
  /** Whether the subgraph tells routers which scopes its fields take. A router that enforces it must verify tokens. */
  readonly federationAuthorization: boolean;
  /** The absolute path of the manifest, if only its operations are answered. */
  readonly persistedOperationsFile: string | null;
  /** The graph of Apollo GraphOS to which usage is reported; null: nothing is reported. */
  readonly apollo: { readonly key: string; readonly graphRef: string } | null;
}

interface Reader {
  text(name: string): string | null;
  refuse(name: string, problem: string): void;
  wholeNumber(name: string, range: { fallback: number; least: number; most: number }): number;
  choice<T extends string>(name: string, choices: readonly T[], fallback: T): T;
}

/** Reads the settings of GraphQL. In production the schema is hidden unless a setting shows it. */
export function readGraphqlSettings(settings: Reader, production: boolean): GraphqlSettings {
  const limit = (name: string, fallback: number): number =>
    settings.wholeNumber(name, { fallback, least: 1, most: 1_000_000 });
  const isOn = (name: string): boolean =>
    settings.choice(name, ['true', 'false'], production ? 'false' : 'true') === 'true';
  const file = settings.text('PERSISTED_OPERATIONS');
  return {
    limits: {
      maxDepth: limit('GRAPHQL_MAX_DEPTH', 10),
      maxCost: limit('GRAPHQL_MAX_COST', 1000),
      maxAliases: limit('GRAPHQL_MAX_ALIASES', 15),
      maxRootFields: limit('GRAPHQL_MAX_ROOT_FIELDS', 10),
      maxFragments: limit('GRAPHQL_MAX_FRAGMENTS', 20),
      maxTokens: limit('GRAPHQL_MAX_TOKENS', 10_000),
    },
    subscriptions: {
      max: settings.wholeNumber('SUBSCRIPTIONS_MAX', { fallback: 10_000, least: 1, most: 100_000 }),
      maxPerClient: settings.wholeNumber('SUBSCRIPTIONS_MAX_PER_CLIENT', { fallback: 1000, least: 1, most: 100_000 }),
    },
    timeoutMs: settings.wholeNumber('GRAPHQL_TIMEOUT_MS', { fallback: 10_000, least: 1, most: 600_000 }),
    introspection: isOn('GRAPHQL_INTROSPECTION'),
    explorer: isOn('GRAPHQL_EXPLORER'),
    federation: settings.choice('FEDERATION', ['true', 'false'], 'false') === 'true',
    federationAuthorization: settings.choice('FEDERATION_AUTHORIZATION', ['true', 'false'], 'false') === 'true',
    persistedOperationsFile: file === null ? null : resolve(file),
    apollo: readApollo(settings),
  };
}

/** With one of both alone nothing would be reported. */
function readApollo(settings: Reader): GraphqlSettings['apollo'] {
  const [key, graphRef] = [settings.text('APOLLO_KEY'), settings.text('APOLLO_GRAPH_REF')];
  if (key !== null && graphRef === null) {
    settings.refuse(
      'APOLLO_KEY',
      'is set, and APOLLO_GRAPH_REF is not, so nothing would be reported. Set APOLLO_GRAPH_REF, such as bank@current, or unset APOLLO_KEY.',
    );
  }
  if (key === null && graphRef !== null) {
    settings.refuse(
      'APOLLO_GRAPH_REF',
      'is set, and APOLLO_KEY is not, so nothing would be reported. Set the key of the graph, or unset APOLLO_GRAPH_REF.',
    );
  }
  return key === null || graphRef === null ? null : { key, graphRef };
}
