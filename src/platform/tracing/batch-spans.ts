import { ROOT_CONTEXT, TraceFlags, trace, type SpanContext, type Tracer } from '@opentelemetry/api';
import type { BatchTrace } from '../repository/batcher.js';
import { places } from './current-span.js';

/**
 * A batch that answers several requests has one span: below that of the request that asked first, with links to the others, so that each
 * of them is found from it. Where nobody who asked is traced there is none.
 */
export function batchTrace(tracer: Tracer): BatchTrace {
  return {
    here: () => spanContextOf(places.getStore()?.context),
    around(asked, load) {
      const spans = new Map<string, SpanContext>();
      for (const span of asked as (SpanContext | undefined)[]) {
        if (span && span.traceFlags & TraceFlags.SAMPLED) spans.set(span.spanId, span);
      }
      const [first, ...others] = spans.values();
      if (!first) return load();
      const parent = trace.setSpanContext(ROOT_CONTEXT, first);
      const links = others.map(context => ({ context }));
      const span = tracer.startSpan('batch', { links, attributes: { 'tillgate.batch.keys': asked.length } }, parent);
      return places.run({ context: trace.setSpan(parent, span) }, load).finally(() => span.end());
    },
  };
}

function spanContextOf(context: Parameters<typeof trace.getSpanContext>[0] | undefined): SpanContext | undefined {
  return context && trace.getSpanContext(context);
}
