import type { CommandWatch } from '../command/counted.js';
import type { IdempotencyRecords } from '../command/idempotency-record.js';
import type { KeyRing } from '../crypto/key-ring.js';
import type { Database } from '../database/orm.js';
import type { EventFeed } from '../feed/event-feed.js';
import type { ImportKind } from '../import/batch.js';
import type { Logger } from '../logging/logger.js';
import type { Settings } from '../settings/settings.js';
import type { ProcessGroup } from '../workers/process-group.js';
import type { Scope } from '../../shared/caller.js';
import type { Problems } from '../../shared/errors.js';

/** The parts that the services of every noun may be made of, besides those of other nouns. */
export interface NounBase {
  /** Reads the settings that nouns declare. */
  readonly settings: Settings;
  readonly log: Logger;
  readonly database: Database;
  readonly keys: KeyRing;
  /** For card numbers and PINs. Has all of `keys` as well, which sealed cards before these had keys of their own. */
  readonly cardKeys: KeyRing;
  readonly records: IdempotencyRecords;
  readonly feed: EventFeed;
  readonly watch: CommandWatch;
  /** Everything that an access token can allow. */
  readonly scopes: readonly Scope[];
  /** The meanings of all codes of refusals. */
  readonly problems: Problems;
  /** The modules that lay out documents of types that packages bring. */
  readonly layouts: Readonly<Record<string, URL>>;
  readonly together: ProcessGroup;
  /** Counts denied attempts that could not be recorded. */
  readonly countUnrecorded: (denials: number) => void;
  /** The rules of the records with this name, which their noun has. */
  readonly importKind: (name: string, overTheApi?: boolean) => Promise<ImportKind>;
}
