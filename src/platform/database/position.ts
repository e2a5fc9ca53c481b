import { timingSafeEqual } from 'node:crypto';
import { MalformedRequest } from '../../shared/errors.js';
import type { Statement } from '../../../lib/pg-wire/statement.js';

/** A place in the log of a database: everything that was committed before it is seen from there on. */
export interface Place {
  /** Grows by one with each failover (PostgreSQL, 'Timelines'). */
  readonly timeline: number;
  /** Bytes of log from the beginning. */
  readonly lsn: bigint;
}

/** A place, and the cluster whose log it is. */
export interface Position extends Place {
  /** The cluster's `system_identifier`: every replica has that of its primary. */
  readonly system: string;
}

/** Signs positions. */
export interface PositionKeys {
  digest(purpose: string, text: string): Buffer;
  /** The digest under the key that another digest names; null where the ring lacks that key. */
  digestLike(digest: Uint8Array, purpose: string, text: string): Buffer | null;
}

/** The position is none that a gateway gave. */
export class BadPosition extends MalformedRequest {
  constructor() {
    super(
      'Tillgate-Position must be a position as an earlier answer gave it, or `latest`. Send the last one that you got, or leave it out.',
    );
  }
}

/** The position that a client sends which wants all that is committed, wherever it heard of it. */
export const LATEST = 'latest';

/**
 * Where the log ends. Without a wait for the disk at COMMIT the log that is written ends before the last commit, and
 * only what is inserted has it.
 */
export const END_OF_LOG: Statement = {
  name: 'end_of_log',
  text: `SELECT lsn::text, pg_walfile_name(lsn), (SELECT system_identifier::text FROM pg_control_system())
    FROM (SELECT CASE current_setting('synchronous_commit') WHEN 'off' THEN pg_current_wal_insert_lsn() ELSE pg_current_wal_flush_lsn() END AS lsn) l`,
};

export type EndOfLogRow = [lsn: string, file: string, system: string];

/** The name of a file of the log begins with its timeline, in 8 hexadecimal digits. */
const TIMELINE_DIGITS = 8;

export function positionOf([lsn, file, system]: EndOfLogRow): Position {
  return { timeline: Number.parseInt(file.slice(0, TIMELINE_DIGITS), 16), lsn: lsnOf(lsn), system };
}

/** The number in a text such as `16/B374D848`. */
export function lsnOf(text: string): bigint {
  const [high = '0', low = '0'] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

export function isBehind(one: Place, other: Place): boolean {
  return one.timeline < other.timeline || (one.timeline === other.timeline && one.lsn < other.lsn);
}

export function laterOf(one: Place | null, other: Place): Place {
  return one && isBehind(other, one) ? one : other;
}

const PURPOSE = 'position';
export const POSITION_PATTERN = String.raw`^(([0-9a-f]{8})([0-9a-f]{16})\.([0-9a-f]{16}))\.([A-Za-z0-9_-]{40,100})$`;
const TEXT = new RegExp(POSITION_PATTERN);

/**
 * Positions as clients hold them: signed, so that nobody can make one for which every read would wait. Later ones of a
 * cluster are greater as texts, so a client with several requests at once can keep the greatest.
 */
export class SignedPositions {
  private last: { readonly lsn: bigint; readonly timeline: number; readonly text: string } | null = null;

  constructor(private readonly keys: PositionKeys) {}

  textOf({ timeline, lsn, system }: Position): string {
    const { last } = this;
    if (last?.lsn === lsn && last.timeline === timeline) return last.text;
    const signed = `${hex(timeline, 8)}${hex(lsn, 16)}.${hex(BigInt(system), 16)}`;
    const text = `${signed}.${this.keys.digest(PURPOSE, signed).toString('base64url')}`;
    this.last = { lsn, timeline, text };
    return text;
  }

  /** Null where the position is signed with a key that is no longer in the ring. Throws `BadPosition`. */
  read(text: string): Position | null {
    const [, signed, timeline, lsn, system, signature] = TEXT.exec(text) ?? [];
    if (signed === undefined || signature === undefined) throw new BadPosition();
    const theirs = Buffer.from(signature, 'base64url');
    const ours = this.keys.digestLike(theirs, PURPOSE, signed);
    if (ours === null) return null;
    if (ours.length !== theirs.length || !timingSafeEqual(ours, theirs)) throw new BadPosition();
    return {
      timeline: Number.parseInt(timeline ?? '', 16),
      lsn: BigInt(`0x${lsn}`),
      system: BigInt.asIntN(64, BigInt(`0x${system}`)).toString(),
    };
  }
}

function hex(value: number | bigint, digits: number): string {
  return BigInt.asUintN(64, BigInt(value)).toString(16).padStart(digits, '0');
}
