import { AsyncLocalStorage } from 'node:async_hooks';
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span,
  type Tracer,
  type SpanContext,
} from '@opentelemetry/api';
import type { Exchange, Trace } from '../http/exchange.js';

/**
 * The spans of one request: HTTP, and below it the operation once the caller is known. They have patterns, names, codes
 * and the request id, which leads to the log; never a path, a query or anything else that was sent.
 */
export class RequestTrace implements Trace, Place {
  context: Context;
  private readonly http: Span;
  private operation: Span | null = null;

  constructor(
    private readonly tracer: Tracer,
    private readonly exchange: Exchange,
  ) {
    const { request, requestId } = exchange;
    const remote = remoteSpan(request.headers['traceparent']);
    const parent = remote ? trace.setSpanContext(ROOT_CONTEXT, remote) : ROOT_CONTEXT;
    const attributes = { 'http.request.method': request.method, 'tillgate.request_id': requestId };
    this.http = tracer.startSpan('request', { kind: SpanKind.SERVER, attributes }, parent);
    this.context = trace.setSpan(parent, this.http);
  }

  beginOperation(): void {
    this.operation = this.tracer.startSpan('operation', {}, this.context);
    this.context = trace.setSpan(this.context, this.operation);
  }

  end(): void {
    const { api, operation, request, response, refusals, cost } = this.exchange;
    const [refused] = refusals?.keys() ?? [];
    if (this.operation) {
      this.operation.updateName(operation ?? api);
      if (cost !== null) this.operation.setAttribute('tillgate.cost', cost);
      if (refused) this.operation.setAttribute('error.type', refused);
      this.operation.end();
    }
    const route = api === 'graphql' ? '/graphql' : operation?.slice(operation.indexOf(' ') + 1);
    this.http.updateName([request.method, route].join(' ').trim());
    if (route) this.http.setAttribute('http.route', route);
    if (response.writableFinished) this.http.setAttribute('http.response.status_code', response.statusCode);
    if (response.statusCode >= 500) this.http.setStatus({ code: SpanStatusCode.ERROR });
    this.http.end();
  }
}

/** The current span. A request has one place, which moves from span to span. */
export interface Place {
  readonly context: Context;
}

/** The place of the running code; none outside of requests. */
export const places = new AsyncLocalStorage<Place>();

const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** The span in a request's `traceparent` (W3C Trace Context, section 3.2), or null if it is missing or not valid. */
function remoteSpan(header: string | string[] | undefined): SpanContext | null {
  const [, version, traceId, spanId, flags = '', more] = TRACEPARENT.exec(String(header)) ?? [];
  if (!traceId || !spanId || (version === '00' && more !== undefined)) return null;
  // Only the flag `sampled` has a meaning here.
  return { traceId, spanId, traceFlags: parseInt(flags, 16) & 1, isRemote: true };
}
