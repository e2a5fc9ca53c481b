import { hash, randomUUID } from 'node:crypto';
import type { Caller } from '../../shared/caller.js';
import type { Database } from '../database/orm.js';

/**
 * Makes an id for what a request makes, as a UUID. Where accounts are on many servers, the outcome of a request is kept
 * beside its account, so each retry under a key has to name the same one: the id is made of the key, and under a key
 * that is used again after its time the record of then is found.
 */
export function newId(
  { program, clientId, subject, idempotency }: Caller,
  { isApart }: Pick<Database['cluster'], 'isApart'>,
): string {
  if (!isApart || !idempotency) return randomUUID();
  const { key, place } = idempotency;
  const bytes = hash(
    'sha256',
    JSON.stringify(['id', program, clientId, subject, key, place?.position ?? null]),
    'buffer',
  );
  // Version 8 of RFC 9562: its maker says how it is made.
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  return bytes.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
