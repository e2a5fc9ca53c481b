import type { Database } from '../platform/database/orm.js';
import { MAX_LINKS, type EventChain } from './event-chain.entity.js';
import { endOfChain } from './event.chain.js';
import { EventRepository } from './event.repository.js';

/** The chains of events, as far as a request can verify them. */
export class EventChainService {
  private readonly repository: EventRepository;

  constructor(database: Database) {
    this.repository = new EventRepository(database);
  }

  /** The end of an account's chain, verified. Whether the caller may see the account is settled before. */
  async ofAccount(accountId: string): Promise<EventChain> {
    const { head, checked, brokenAt } = await endOfChain(this.repository, accountId, MAX_LINKS);
    const chain = { events: head?.seq ?? 0, checked, intact: brokenAt === null, brokenAt };
    return { ...chain, lastHash: head?.hash ?? null };
  }
}
