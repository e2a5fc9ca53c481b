import {
  ROOT_CONTEXT,
  TraceFlags,
  trace,
  type SpanContext,
  type Tracer,
  SpanKind,
  SpanStatusCode,
  type Attributes,
  type Span,
} from '@opentelemetry/api';
import type pg from 'pg';
import type { BatchTrace } from '../repository/batcher.js';
import { places } from './request-trace.js';
import { Pipeline } from '../../../lib/pg-wire/pipeline.js';
import { UNNAMED } from '../../../lib/pg-wire/statement.js';

/**
 * A batch for several requests has one span: below that of the first request, with links to the others. There is none
 * where no request of the batch is traced.
 */
export function batchTrace(tracer: Tracer): BatchTrace {
  return {
    here: () => spanContextOf(places.getStore()?.context),
    around(askers, load) {
      const spans = new Map<string, SpanContext>();
      for (const span of askers as (SpanContext | undefined)[]) {
        if (span && span.traceFlags & TraceFlags.SAMPLED) spans.set(span.spanId, span);
      }
      const [first, ...others] = spans.values();
      if (!first) return load();
      const parent = trace.setSpanContext(ROOT_CONTEXT, first);
      const links = others.map(context => ({ context }));
      const span = tracer.startSpan('batch', { links, attributes: { 'tillgate.batch.keys': askers.length } }, parent);
      return places.run({ context: trace.setSpan(parent, span) }, load).finally(() => span.end());
    },
  };
}

function spanContextOf(context: Parameters<typeof trace.getSpanContext>[0] | undefined): SpanContext | undefined {
  return context && trace.getSpanContext(context);
}

type QueryFunction = (...args: unknown[]) => unknown;

/** Not the digest of a text. On Citus the forms of a statement have a number behind its name. */
const READABLE_NAME = /^[a-z][a-z0-9_]{0,62}(\/(\d{1,6}|many))?$/;
const KEYWORD = /^\s*([a-z]+)/i;

/**
 * Gives each statement of a traced request a span, with the address of its server and the statement's name. The span
 * never has the text, which may contain values.
 */
export function traceStatements(pool: pg.Pool, tracer: Tracer): void {
  const traced = new WeakSet<pg.PoolClient>();
  // Not on 'connect', since some connections are open already.
  pool.on('acquire', client => {
    if (traced.has(client)) return;
    traced.add(client);
    const connection = client as unknown as { query: QueryFunction; readonly host: string; readonly port: number };
    const query = connection.query.bind(client);
    const server = { 'server.address': connection.host, 'server.port': connection.port };
    connection.query = (...args) => {
      const place = places.getStore();
      if (!place) return query(...args);
      const { name, attributes } = described(args[0]);
      const span = tracer.startSpan(
        name,
        { kind: SpanKind.CLIENT, attributes: { ...server, ...attributes } },
        place.context,
      );
      return span.isRecording() ? follow(span, query, args) : query(...args);
    };
  });
}

function described(statement: unknown): { name: string; attributes: Attributes } {
  if (statement instanceof Pipeline && statement.queries.length > 1) return describedBatch(statement);
  const { name: statementName, text } = (
    typeof statement === 'string' ? { text: statement } : statement
  ) as pg.QueryConfig;
  const name = statementName === UNNAMED ? undefined : statementName;
  const keyword = KEYWORD.exec(text)?.[1]?.toUpperCase() ?? 'SQL';
  const attributes = {
    'db.system.name': 'postgresql',
    'db.operation.name': keyword,
    ...(name !== undefined && { 'tillgate.statement': name }),
  };
  return { name: name !== undefined && READABLE_NAME.test(name) ? name : keyword, attributes };
}

/** Several statements at once, by the conventions of OpenTelemetry for database batches. */
function describedBatch({ queries }: Pipeline): { name: string; attributes: Attributes } {
  const names = queries.map(({ statement }) => statement.name);
  const attributes = {
    'db.system.name': 'postgresql',
    'db.operation.name': 'BATCH',
    'db.operation.batch.size': names.length,
    'tillgate.statements': names,
  };
  return { name: 'BATCH', attributes };
}

/** Ends the span with the statement, which ends with a callback or a promise. */
function follow(span: Span, query: QueryFunction, args: unknown[]): unknown {
  const last = args.at(-1);
  if (typeof last === 'function') {
    const callback = (error: unknown, result: unknown): void => {
      end(span, error);
      (last as (error: unknown, result: unknown) => void)(error, result);
    };
    return query(...args.slice(0, -1), callback);
  }
  const result = query(...args);
  if (result instanceof Promise) {
    result.then(
      () => end(span, null),
      (error: unknown) => end(span, error),
    );
  } else span.end();
  return result;
}

/** Ends a span. Only the SQLSTATE of an error is recorded: messages of PostgreSQL may quote values. */
function end(span: Span, error: unknown): void {
  if (error) {
    const { code } = error as { code?: unknown };
    span.setAttribute('error.type', typeof code === 'string' ? code : 'connection');
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
}
