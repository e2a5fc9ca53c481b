import type { SpanContext } from '@opentelemetry/api';

const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** The span that a request's `traceparent` names (W3C Trace Context, section 3.2), or null where it has none that can be read. */
export function remoteSpan(header: string | string[] | undefined): SpanContext | null {
  const [, version, traceId, spanId, flags = '', more] = TRACEPARENT.exec(String(header)) ?? [];
  if (!traceId || !spanId || (version === '00' && more !== undefined)) return null;
  // Of the flags, `sampled` alone has a meaning here.
  return { traceId, spanId, traceFlags: parseInt(flags, 16) & 1, isRemote: true };
}
