import { PreconditionFailed } from './errors.js';

/** A record whose changes are counted, from 1. */
export interface VersionedRecord {
  readonly version: number;
}

/** A change that may be made only of a record with one of these versions; null for any. */
export interface VersionCondition {
  readonly versions?: readonly number[] | null | undefined;
}

/** Throws `PreconditionFailed` unless a record has a version that its change expects. */
export function mustBeExpected({ version }: VersionedRecord, { versions = null }: VersionCondition): void {
  if (versions && !versions.includes(version)) throw new PreconditionFailed();
}

/** The version of a record after a change: the database counts in the same way. */
export function nextVersion({ version }: VersionedRecord): number {
  return version + 1;
}

/**
 * What a command gave, which may be the record of an earlier release, which counted nothing: such a record has the
 * version 0, and no change that expects it is made.
 */
export function withVersion<Result extends Partial<VersionedRecord>>(recorded: Result): Result & VersionedRecord {
  return { ...recorded, version: recorded.version ?? 0 };
}
