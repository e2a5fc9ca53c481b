import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type SpanExporter,
} from '@opentelemetry/sdk-trace';
import type { Tracer } from '@opentelemetry/api';
import type pg from 'pg';
import { readManifest } from '../manifest.js';
import { batching } from '../repository/batcher.js';
import type { Exchange } from '../http/exchange.js';
import type { Logger } from '../logging/logger.js';
import { batchTrace, traceStatements } from './database-spans.js';
import { places, RequestTrace } from './request-trace.js';
import type { TracingConfig } from './settings.js';

const EXPORT_TIMEOUT_MS = 5000;
const EXPORT_EVERY_MS = 2000;
/** Further spans are dropped, so that a collector that is away costs bounded memory, and no request waits for it. */
const MAX_WAITING_SPANS = 4096;
const MAX_SPANS_A_REQUEST = 512;

/** Traces requests by OpenTelemetry: HTTP, operation, batches and SQL, sent to a collector by OTLP over HTTP. */
export function startTracing({ endpoint, resource, ratio }: TracingConfig, log: Logger): Tracing {
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, timeoutMillis: EXPORT_TIMEOUT_MS });
  const processor = new BatchSpanProcessor({
    exporter: loggingFailures(exporter, log),
    maxQueueSize: MAX_WAITING_SPANS,
    maxExportBatchSize: MAX_SPANS_A_REQUEST,
    scheduledDelayMillis: EXPORT_EVERY_MS,
    exportTimeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const provider = new TracerProvider({
    // The default resource names the SDK, as the semantic conventions require.
    resource: defaultResource().merge(
      resourceFromAttributes({ 'service.name': 'tillgate', 'service.version': readManifest().version, ...resource }),
    ),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [processor],
  });
  return new Tracing(provider);
}

class Tracing {
  private readonly tracer: Tracer;

  constructor(private readonly provider: TracerProvider) {
    this.tracer = provider.getTracer('tillgate');
    // Batchers belong to the process, so of several gateways the last one traces their batches.
    batching.trace = batchTrace(this.tracer);
  }

  /** Answers a request as a part of its trace. */
  watch(exchange: Exchange, answer: () => void): void {
    const trace = new RequestTrace(this.tracer, exchange);
    exchange.trace = trace;
    places.run(trace, answer);
  }

  /** Traces the statements of a pool of connections. */
  watchPool(pool: pg.Pool): void {
    traceStatements(pool, this.tracer);
  }

  /** Sends the remaining spans. Those that the collector does not take in time are lost. */
  async stop(): Promise<void> {
    batching.trace = null;
    await this.provider.shutdown().catch(() => undefined);
  }
}

/** Logs that spans cannot be sent, once until they can be sent again. */
function loggingFailures(exporter: SpanExporter, log: Logger): SpanExporter {
  let failing = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, result => {
        const failed = result.error !== undefined;
        if (failed && !failing) log.warn('traces cannot be sent to the collector, and spans are lost');
        failing = failed;
        done(result);
      }),
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  };
}
