import { ApolloServer, type ApolloServerOptions, type HTTPGraphQLRequest } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginSchemaReportingDisabled,
  ApolloServerPluginUsageReportingDisabled,
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

/** Apollo Server with nothing of it that asks another host, or that the gateway does itself. */
export async function startApollo(
  schema: GraphQLSchema,
  { limits, introspection }: GraphqlSettings,
  documentStore: Options['documentStore'],
  logger: Logger,
  plugins: NonNullable<Options['plugins']>,
): Promise<Apollo> {
  const server = new ApolloServer<Context>({
    schema,
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
      // Nothing is reported to Apollo, whatever the environment says, and what would do it is not even installed.
      ApolloServerPluginInlineTraceDisabled(),
      ApolloServerPluginSchemaReportingDisabled(),
      ApolloServerPluginUsageReportingDisabled(),
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
