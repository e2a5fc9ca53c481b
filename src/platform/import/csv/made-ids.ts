import { hash } from 'node:crypto';
import type { MadeId } from './column-map.js';

/** Where rows come from, which the ids that are made of them depend on. */
export interface RowsOrigin {
  /** Null for records that name their own. */
  readonly program: string | null;
  /** The number of the first line in its file. */
  readonly firstLine: number;
}

/** A row of which an id is made. */
export interface IdRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** The namespace of the UUIDs that are made of the numbers of banks (RFC 9562, section 6.6). It never changes. */
const NAMESPACE = Buffer.from('0d6b9d0c2f0c4c0ea3f5b1f3a1b04a57', 'hex');
/** Stands in the form of an id for what is made. */
export const MADE = '#';
/** Equal rows have ids of their own as long as no more than this many different ones are between them. */
const MAX_DIFFERENT_ROWS = 100_000;
/** 128 bits in base64url. */
const DIGEST_CHARACTERS = 22;

/** The UUID of a number of the bank: version 5 (RFC 9562, section 5.5) of `program/number`. */
export function uuidOf(program: string | null, number: string): string {
  const bytes = hash('sha1', Buffer.concat([NAMESPACE, Buffer.from(`${program ?? ''}/${number}`)]), 'buffer');
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex', 0, 16);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Makes the ids of the rows of one file, in their order. Of equal rows the second has another id than the first. */
export function idsOf(made: Exclude<MadeId, 'UUID'>, form: string | null, { firstLine }: RowsOrigin) {
  const [before = '', ...behind] = (form ?? `${made.toLowerCase()}-${MADE}`).split(MADE);
  const withForm = (id: string): string => `${before}${id}${behind.join(MADE)}`;
  if (made === 'LINE') return ({ line }: IdRow): string => withForm(String(firstLine + line - 1));
  let seen = new Map<string, number>();
  let earlier = new Map<string, number>();
  return ({ cells }: IdRow): string => {
    const content = hash('sha256', JSON.stringify(cells), 'base64url').slice(0, DIGEST_CHARACTERS);
    const count = (seen.get(content) ?? earlier.get(content) ?? 0) + 1;
    if (seen.size >= MAX_DIFFERENT_ROWS) [earlier, seen] = [seen, new Map<string, number>()];
    seen.set(content, count);
    return withForm(count === 1 ? content : `${content}-${count}`);
  };
}
