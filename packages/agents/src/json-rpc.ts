import type { EndpointAnswer } from 'tillgate/noun';

/** Codes of JSON-RPC 2.0 (5.1). */
export const INVALID_PARAMS = -32_602;
export const METHOD_NOT_FOUND = -32_601;
export const INTERNAL_ERROR = -32_603;
export const SERVER_ERROR = -32_000;

/** An error that is answered in place of the SDK. */
export function errorAnswer(status: number, code: number, message: string, sent: unknown = null): EndpointAnswer {
  const { id } = Object(sent) as { readonly id?: unknown };
  const known = typeof id === 'string' || typeof id === 'number' ? id : null;
  return { status, body: JSON.stringify({ jsonrpc: '2.0', id: known, error: { code, message } }) };
}
