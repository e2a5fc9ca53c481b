import { ApolloServer, type ApolloServerOptions, type HTTPGraphQLRequest } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import type { GraphQLSchema } from 'graphql';
import type { Logger } from '../logging/logger.js';
import type { Context } from './context.js';
import { formatError } from './format-error.js';
import { SAFE_HEADERS } from './request.js';
import type { GraphqlSettings } from './settings.js';

export interface Apollo {
  answer(context: Context, request: HTTPGraphQLRequest): Promise<ApolloAnswer>;
  stop(): Promise<void>;
}

export interface ApolloAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly text: string;
}

type Options = ApolloServerOptions<Context>;

/**
 * Apollo Server without what the gateway does itself. It reports usage to Apollo where the settings name a graph, and
 * asks no other host otherwise.
 */
export async function startApollo(
  schema: GraphQLSchema,
  { limits, introspection, apollo }: GraphqlSettings,
  documentStore: Options['documentStore'],
  logger: Logger,
  plugins: NonNullable<Options['plugins']>,
): Promise<Apollo> {
  const server = new ApolloServer<Context>({
    schema,
    ...(apollo && { apollo }),
    introspection,
    hideSchemaDetailsFromClientErrors: !introspection,
    csrfPrevention: { requestHeaders: SAFE_HEADERS },
    allowBatchedHttpRequests: false,
    persistedQueries: false,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    documentStore,
    parseOptions: { maxLexicalTokens: limits.maxTokens },
    logger,
    formatError,
    plugins: [
      ApolloServerPluginCacheControlDisabled(),
      // A subgraph would give the times of its fields to every client that asks for them by a header, and compiled
      // operations have none.
      ApolloServerPluginInlineTraceDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      ...plugins,
    ],
  });
  await server.start();
  return {
    async answer(context, httpGraphQLRequest) {
      const response = await server.executeHTTPGraphQLRequest({ httpGraphQLRequest, context: async () => context });
      if (response.body.kind !== 'complete') throw new Error('Incremental delivery is not supported.');
      const { status = 200, headers } = response;
      return { status, headers: Object.fromEntries(headers), text: response.body.string };
    },
    stop: () => server.stop(),
  };
}
