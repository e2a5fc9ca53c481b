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

/** The version of a record, and the time at which it was written. */
export interface RecordVersion extends VersionedRecord {
  /** ISO 8601 in UTC. */
  readonly updatedAt: string;
}

/** The version of a record that is made now. */
export function firstVersion(): RecordVersion {
  return { version: 1, updatedAt: new Date().toISOString() };
}

/** The version of a record after a change that is made now: the database counts in the same way. */
export function nextVersion({ version }: VersionedRecord): RecordVersion {
  return { ...firstVersion(), version: version + 1 };
}
