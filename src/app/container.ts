import { bringUpToDate } from './bring-up-to-date.js';
import type { BankConfig } from './config.js';
import { openKeys } from './open-keys.js';
import { nounSettings } from './added-nouns.js';
import { importKindOf, nounsOf, type Bank, type Services } from './nouns.js';
import { IdempotencyRecords } from '../platform/command/idempotency-record.js';
import { tellKeys } from '../platform/crypto/key-holders.js';
import { openConfiguredDatabase } from '../platform/database/open-configured.js';
import type { Logger } from '../platform/logging/logger.js';
import type { CommandWatch, CountCommand } from '../platform/command/counted.js';
import { EventFeed } from '../platform/feed/event-feed.js';
import { Feed } from '../platform/feed/feed.js';
import type { Nouns } from '../platform/noun/noun.js';
import { SINGLE_PROCESS, type ProcessGroup } from '../platform/workers/process-group.js';

/**
 * The parts that the gateway and the command line work with: the data, the keys to it, and the services that know the
 * rules.
 */
export interface Container extends Services {
  /** The nouns that its services are of, and those that are served of them. */
  readonly nouns: Nouns<Services>;
  /** Closes every connection, and leaves the embedded PostgreSQL. */
  close(): Promise<void>;
}

/** Metrics about the bank. */
export interface ContainerCounts {
  readonly countCommand: CountCommand;
  /** Denied attempts that could not be recorded. */
  readonly countUnrecorded: (denials: number) => void;
}

export interface ContainerOptions {
  readonly counts?: ContainerCounts | undefined;
  /** The processes behind one port, with what they have in common. */
  readonly together?: ProcessGroup;
  /** The nouns that are opened in place of those that the configuration names. */
  readonly nouns?: Nouns<Services>;
}

/** Opens the bank on the configured database, or on the embedded one, and brings its tables up to date. */
export async function openContainer(
  config: BankConfig,
  log: Logger,
  { counts, together = SINGLE_PROCESS, nouns: ownNouns }: ContainerOptions = {},
): Promise<Container> {
  const nouns = ownNouns ?? (await nounsOf(config));
  const settings = nounSettings(nouns.all, config);
  const { fields: keys, cards: cardKeys } = await openKeys(config, nouns.settings);
  const { database, close } = await openConfiguredDatabase(
    { ...config, session: sandboxSession(config) },
    nouns.entities,
    message => log.warn(message),
  );
  let leaveKeys: () => Promise<void>;
  try {
    await bringUpToDate(database, config, log, nouns.all);
    leaveKeys = await tellKeys(database, cardKeys, error =>
      log.warn({ err: error }, 'the list of processes and their keys could not be updated'),
    );
  } catch (error) {
    await close();
    throw error;
  }

  const records = new IdempotencyRecords(keys, config.idempotencyTtlDays);
  const feed = new EventFeed(new Feed(database, log), nouns.eventTypes);
  const watch: CommandWatch = { count: counts?.countCommand ?? (() => undefined), committed: () => feed.feed.wake() };
  const bank: Bank = {
    config,
    settings,
    log,
    database,
    keys,
    cardKeys,
    records,
    feed,
    watch,
    scopes: nouns.scopes,
    problems: nouns.problems(config.sandbox),
    layouts: nouns.layouts,
    together,
    countUnrecorded: counts?.countUnrecorded ?? (() => undefined),
    importKind: (name, overTheApi = false) => importKindOf({ ...services, nouns }, name, overTheApi),
  };
  const services = nouns.open(bank);
  return {
    ...services,
    nouns,
    close: async () => {
      await feed.feed.stop();
      await database.replicas?.stop();
      for (const { close: closeServices } of nouns.all.toReversed()) await closeServices?.(services as never);
      await leaveKeys();
      await close();
    },
  };
}

/** The setting of a connection by which the database reads the clocks of programs. Without it none is ahead. */
function sandboxSession({ sandbox }: Pick<BankConfig, 'sandbox'>): Readonly<Record<string, string>> {
  return sandbox ? { 'tillgate.sandbox': 'on' } : {};
}
