import { createHash } from 'node:crypto';
import type { ChainEvent } from './event.repository.js';
import type { ChainKind } from './event.selection.js';

/**
 * The hash of an event after the one with the hash `previous`, which is empty for the first: see the functions
 * `account_event_hash`, `program_event_hash` and `denied_attempt_hash` of the database. Texts are hashed as they are,
 * the data as PostgreSQL writes jsonb. Null for what cannot be an event of this chain.
 */
export function hashOf(kind: ChainKind, previous: Buffer, { event, epoch }: ChainEvent): Buffer | null {
  const { accountId, chainSeq, id, program, outcome, clientId, subject, requestId, action, object, dataText } = event;
  const doer = [clientId, subject, requestId, action];
  if (kind !== 'account') {
    const texts = [program, outcome, ...doer, ...(kind === 'denied' ? [accountId] : []), object];
    return sha256(previous, [`"${kind}"`, chainSeq, id, epoch, ...texts.map(text => JSON.stringify(text)), dataText]);
  }
  const occurredAtMs = millisecondsOf(epoch);
  if (occurredAtMs === null) return null;
  const texts = [program, ...doer, accountId, object].filter(text => text !== null);
  return sha256(previous, [chainSeq, id, occurredAtMs, ...texts.map(text => JSON.stringify(text)), dataText]);
}

function sha256(previous: Buffer, parts: readonly unknown[]): Buffer {
  return createHash('sha256').update(previous).update(parts.join(',')).digest();
}

/** Null for infinity. */
function millisecondsOf(seconds: string): bigint | null {
  if (!/^-?\d+\.\d{6}$/.test(seconds)) return null;
  const microseconds = BigInt(seconds.replace('.', ''));
  const milliseconds = microseconds / 1000n;
  return microseconds < milliseconds * 1000n ? milliseconds - 1n : milliseconds;
}
