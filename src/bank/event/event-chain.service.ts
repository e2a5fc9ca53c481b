import type { Database } from '../../platform/database/orm.js';
import { MAX_LINKS, type EventChain } from './event-chain.entity.js';
import { START, linkOf, problemOf } from './event.chain.js';
import { EventRepository } from './event.repository.js';

/** The chains of events, as far as a request can verify them. */
export class EventChainService {
  private readonly repository: EventRepository;

  constructor(database: Database) {
    this.repository = new EventRepository(database);
  }

  /**
   * The newest events of an account and its end, verified as `verifyChains` does. Whether the caller may see the
   * account is settled before.
   */
  async ofAccount(accountId: string): Promise<EventChain> {
    const { events, end = START } = await this.repository.newestOf(accountId, MAX_LINKS + 1);
    // One event more than the limit is read: its hash verifies the event after it.
    const [anchor] = events.length > MAX_LINKS ? events.splice(0, 1) : [];
    let before = anchor ? linkOf(anchor) : START;
    let brokenAt: bigint | null = null;
    for (const event of events) {
      const link = linkOf(event);
      if (problemOf('account', event, before)) brokenAt ??= link.seq;
      before = link;
    }
    if (end.seq > before.seq) brokenAt ??= before.seq + 1n;
    else if (end.seq !== before.seq || !end.hash.equals(before.hash)) brokenAt ??= before.seq;
    return {
      events: Number(before.seq),
      checked: events.length,
      intact: brokenAt === null,
      brokenAt: brokenAt === null ? null : Number(brokenAt),
      lastHash: events.length > 0 ? before.hash.toString('hex') : null,
    };
  }
}
