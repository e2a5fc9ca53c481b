import { resolve } from 'node:path';
import type { SettingGroup } from '../settings/setting.js';
import type { Settings } from '../settings/settings.js';
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

const MOST_LIMIT = 1_000_000;
const inDevelopment = (production: boolean): boolean => !production;
const IN_DEVELOPMENT = '`true`, in production `false`';

export const GRAPHQL_SETTINGS = {
  heading: 'GraphQL',
  settings: {
    GRAPHQL_MAX_DEPTH: limit(10, 'The maximum number of levels of fields in an operation.'),
    GRAPHQL_MAX_COST: limit(1000, 'The maximum cost of an operation, as [limits](limits.md) counts it.'),
    GRAPHQL_MAX_ALIASES: limit(15, 'The maximum number of aliases of one field at one place.'),
    GRAPHQL_MAX_ROOT_FIELDS: limit(10, 'The maximum number of fields at the root of an operation.'),
    GRAPHQL_MAX_FRAGMENTS: limit(20, 'The maximum number of fragments in a document.'),
    GRAPHQL_MAX_TOKENS: limit(10_000, 'The maximum number of tokens in a document.'),
    GRAPHQL_TIMEOUT_MS: {
      number: 10_000,
      range: [1, 600_000],
      about:
        'The longest time, in milliseconds, that an operation may run. Then it is refused with 503, and its own statements are cancelled.',
    },
    SUBSCRIPTIONS_MAX: {
      number: 10_000,
      range: [1, 100_000],
      about: 'The maximum number of open [subscriptions](subscriptions.md) of the gateway.',
    },
    SUBSCRIPTIONS_MAX_PER_CLIENT: {
      number: 1000,
      range: [1, 100_000],
      about: 'The maximum number of open subscriptions of one client.',
    },
    GRAPHQL_INTROSPECTION: {
      flag: inDevelopment,
      about: 'Answers introspection, and suggests names of the schema in errors.',
      unset: IN_DEVELOPMENT,
    },
    GRAPHQL_EXPLORER: {
      flag: inDevelopment,
      about: 'Shows Apollo Sandbox and GraphiQL to browsers.',
      unset: IN_DEVELOPMENT,
    },
    FEDERATION: {
      flag: false,
      about: 'Makes the schema a [subgraph](federation.md) of Apollo Federation 2, for a router.',
    },
    FEDERATION_AUTHORIZATION: {
      flag: false,
      about:
        'Tells routers [which scopes the fields of the subgraph take](federation.md#scopes-and-costs) (`@requiresScopes`, `@authenticated`). Apollo Router enforces them, so it must verify tokens itself; @apollo/gateway does not start with them.',
    },
    PERSISTED_OPERATIONS: {
      text: null,
      about: "A manifest of Apollo's generate-persisted-query-manifest. The gateway then answers only its operations.",
      unset: 'any operation',
      example: 'persisted-query-manifest.json',
    },
    APOLLO_KEY: {
      text: null,
      about:
        'The key of a graph of Apollo GraphOS, which gets [usage reports](maintain.md#usage-reports). Set it together with `APOLLO_GRAPH_REF`.',
      unset: 'nothing is reported',
      isSecret: true,
    },
    APOLLO_GRAPH_REF: { text: null, about: 'The graph and its variant in Apollo GraphOS.', example: 'bank@current' },
  },
} as const satisfies SettingGroup;

/** Reads the settings of GraphQL. In production the schema is hidden unless a setting shows it. */
export function readGraphqlSettings(settings: Settings): GraphqlSettings {
  const read = settings.read(GRAPHQL_SETTINGS);
  const { PERSISTED_OPERATIONS: file, APOLLO_KEY: key, APOLLO_GRAPH_REF: graphRef } = read;
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
  return {
    limits: {
      maxDepth: read.GRAPHQL_MAX_DEPTH,
      maxCost: read.GRAPHQL_MAX_COST,
      maxAliases: read.GRAPHQL_MAX_ALIASES,
      maxRootFields: read.GRAPHQL_MAX_ROOT_FIELDS,
      maxFragments: read.GRAPHQL_MAX_FRAGMENTS,
      maxTokens: read.GRAPHQL_MAX_TOKENS,
    },
    subscriptions: { max: read.SUBSCRIPTIONS_MAX, maxPerClient: read.SUBSCRIPTIONS_MAX_PER_CLIENT },
    timeoutMs: read.GRAPHQL_TIMEOUT_MS,
    introspection: read.GRAPHQL_INTROSPECTION,
    explorer: read.GRAPHQL_EXPLORER,
    federation: read.FEDERATION,
    federationAuthorization: read.FEDERATION_AUTHORIZATION,
    persistedOperationsFile: file === null ? null : resolve(file),
    apollo: key === null || graphRef === null ? null : { key, graphRef },
  };
}

function limit(fallback: number, about: string) {
  return { number: fallback, range: [1, MOST_LIMIT], about } as const;
}
