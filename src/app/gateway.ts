import type { ApolloServerPlugin } from '@apollo/server';
import type { RequestHandler } from 'express';
import { openBearer } from './bearer.js';
import { openConsole } from './console.js';
import { openContainer, type Container } from './container.js';
import { keepsMetrics, type Config } from './config.js';
import { openGate, resourceOf } from './gate.js';
import { loadDemo } from './load-demo.js';
import { describeGateway } from './openapi.js';
import { openPages } from './pages/pages.js';
import { idempotencyMiddleware, idempotencyPlugin } from '../platform/command/idempotency-header.js';
import type { Context } from '../platform/graphql/context.js';
import { watchingExecution } from '../platform/graphql/compiled-operations.js';
import { openGraphqlEndpoint, type GraphqlEndpoint } from '../platform/graphql/server.js';
import type { SubscriptionCounts } from '../platform/graphql/subscriptions/open-subscriptions.js';
import { trustOf } from '../platform/http/client-address.js';
import { AnsweredRequest } from '../platform/http/answered-request.js';
import { exactRouter, refuseOtherMethods } from '../platform/http/exact-router.js';
import type { Exchange } from '../platform/http/exchange.js';
import { createHttpServer } from '../platform/http/server.js';
import { openTls } from '../platform/http/listener.js';
import { JobHealth } from '../platform/jobs/job-health.js';
import type { Logger } from '../platform/logging/logger.js';
import { PacedRefusals } from '../platform/overload/overload.js';
import type { NounReports, Nouns } from '../platform/noun/noun.js';
import { Metrics } from '../platform/metrics/metrics.js';
import { metricsRoutes } from '../platform/metrics/metrics-route.js';
import { addRoutes } from '../platform/rest/rest.js';
import { SINGLE_PROCESS, type ProcessGroup } from '../platform/workers/process-group.js';
import { openReplicas } from './replicas.js';
import { schemaOf } from './schema.js';
import { nounsOf, type Services } from './nouns.js';
import { Unavailable } from '../shared/errors.js';
import { startBackgroundJobs } from './background-jobs.js';

export interface Gateway {
  /** Where it listens, for example `http://127.0.0.1:4000`. */
  readonly url: string;
  readonly container: Container;
  /** Counts of open subscriptions, and of their results. */
  readonly subscriptions: SubscriptionCounts;
  /**
   * Says that it is not ready, and after the grace accepts nothing more, finishes what runs, closes everything. One
   * that is `replaced` by another process behind the same port stays ready and accepts nothing more at once.
   */
  stop(how?: { readonly replaced: boolean }): Promise<void>;
}

const PING_TIMEOUT_MS = 2000;

export interface StartOptions {
  /** The processes behind one port, with what they have in common. */
  readonly together?: ProcessGroup;
  /** Plugins of Apollo Server besides the gateway's own. */
  readonly plugins?: readonly ApolloServerPlugin<Context>[];
  /** The nouns that it serves in place of those that the configuration names. */
  readonly nouns?: Nouns<Services>;
}

/** Starts the gateway that a configuration describes. Production and tests start the same one. */
export async function startGateway(
  config: Config,
  log: Logger,
  { together = SINGLE_PROCESS, plugins = [], nouns: ownNouns }: StartOptions = {},
): Promise<Gateway> {
  const nouns = ownNouns ?? (await nounsOf(config));
  const { bearer, devIssuer } = await openBearer(config, log);
  const tls = config.tls && (await openTls(config.tls));
  const metrics = keepsMetrics(config) ? new Metrics() : null;
  const container = await openContainer(config, log, { counts: metrics ?? undefined, together, nouns });
  const tracing = await tracingOf(config, log);
  try {
    if (tracing) container.database.watchPools(pool => tracing.watchPool(pool));
    const { replicas, middleware } = await openReplicas(config, container, metrics, log);
    metrics?.watchDatabase(container.database.pool);
    const health = new JobHealth();
    if (container.together.leads) metrics?.watchJobs(health);
    if (metrics) together.shared?.collect(() => metrics.snapshot());
    await container.feed.open();
    await container.revocationWatch.start(container.feed.feed);
    if (config.demoData) await loadDemo(container, log);
    const refusals = new PacedRefusals();
    const trust = trustOf(config.trustedProxies);
    const resource = resourceOf(config, nouns.scopes);
    const gate = openGate({ config, container, bearer, resource, trust, refusals, together, log });
    const pages = openPages(config, devIssuer, metrics !== null, nouns.problems(config.sandbox));
    const schema = schemaOf(container, config);
    const console = await openConsole(config, { ...container, gate, log });
    const watchRequest = watchOf(container, config, { log, metrics });
    const graphql = await openGraphqlEndpoint({
      schema,
      gate,
      log,
      settings: config.graphql,
      plugins: [idempotencyPlugin(), ...plugins.map(watchingExecution)],
      sendExplorer: pages.sendExplorer,
      page: console,
      replicas,
      processes: together,
      watchRequest,
    });
    const endpoints = await Promise.all(
      nouns.served(config.sandbox).map(async noun => (await noun.endpoints?.(container as never, graphql)) ?? []),
    );
    if (metrics) watchGraphql(metrics, graphql, container);
    const server = createHttpServer({
      ...config,
      graphql,
      maxStreams: config.graphql.subscriptions.max,
      drain: async graceMs => {
        await graphql.drain(graceMs);
        // Requests that wait for events are answered, so that they do not hold up the stop.
        await container.feed.feed.stop();
      },
      pages: pages.routes,
      console,
      routes: [idempotencyMiddleware(), ...middleware, ...routesOf(container, config)],
      endpoints: endpoints.flat(),
      gate,
      refusals,
      trust,
      resource,
      devIssuer,
      tls,
      countRequest: metrics ? exchange => metrics.requests.count(exchange) : null,
      watchRequest,
      operatorRoutes: metrics ? metricsRoutes(metrics, config.metricsToken, together) : null,
      tracing,
      describe: () => describeGateway(config, nouns),
      describeEvents: () => nouns.eventTypes.schema(),
      ready: async () => {
        if (!(await together.areAllReady())) throw new Unavailable('Not all processes of the gateway serve yet.');
        await container.database.ping(PING_TIMEOUT_MS);
        return { status: 'ok', ...(health.isFailing && { jobs: 'failing' }) };
      },
      waiting: () => container.database.pool.waitingCount,
      log,
    });
    const url = await server.listen(config.host, config.port);
    container.feed.feed.start();
    const endWork = await startBackgroundJobs(container, { metrics, health, log });
    const stop = async ({ replaced }: { readonly replaced: boolean }): Promise<void> => {
      // Attempts end while requests do.
      const working = Promise.all(endWork.map(end => end()));
      await server.stop(config.shutdownGraceMs, replaced);
      await working;
      await graphql.stop();
      await container.close();
      await tracing?.stop();
    };
    let stopped: Promise<void> | undefined;
    const { subscriptions } = graphql;
    return { url, container, subscriptions, stop: (how = { replaced: false }) => (stopped ??= stop(how)) };
  } catch (error) {
    await container.close();
    await tracing?.stop();
    throw error;
  }
}

function watchGraphql(metrics: Metrics, { counts, subscriptions }: GraphqlEndpoint, { feed }: Container): void {
  metrics.watchDocuments(counts);
  metrics.watchFeed(feed.feed);
  metrics.watchSubscriptions(subscriptions);
}

/** Tells the nouns that watch requests of each; null where none does. */
function watchOf(
  container: Container,
  { sandbox, logClientAddress }: Pick<Config, 'sandbox' | 'logClientAddress'>,
  reports: NounReports,
): ((exchange: Exchange) => void) | null {
  const watches = container.nouns
    .served(sandbox)
    .flatMap(({ watchRequests }) => watchRequests?.(container as never, reports) ?? []);
  if (watches.length === 0) return null;
  return exchange => {
    const request = new AnsweredRequest(exchange, logClientAddress);
    for (const watch of watches) watch(request);
  };
}

/** Nothing of OpenTelemetry is loaded unless it is asked for. */
async function tracingOf({ tracing }: Config, log: Logger) {
  return tracing && (await import('../platform/tracing/tracing.js')).startTracing(tracing, log);
}

/** The routes of REST in the order in which Express tries them. */
function routesOf(container: Container, config: Pick<Config, 'sandbox' | 'cardsPrefix'>): RequestHandler[] {
  const { nouns } = container;
  const settings = { ...config, eventTypes: nouns.eventTypes, scopes: nouns.scopes };
  const tried = Object.groupBy(nouns.served(config.sandbox), ({ routesTried = 'in between' }) => routesTried);
  const inOrder = [...(tried.first ?? []), ...(tried['in between'] ?? []), ...(tried.last ?? [])];
  return inOrder
    .flatMap(({ rest }) => rest?.(settings) ?? [])
    .map(part => refuseOtherMethods(addRoutes(exactRouter(), part, container as never)));
}
