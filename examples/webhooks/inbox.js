// Does each event once, although it may come more than once.

/** The ids that are remembered, the latest ones. An operator may send an event again for 30 days. */
const MAX_IDS = 100_000;

/**
 * Remembers ids in memory, which is enough to try. In production store the id and what you do about the event in one
 * transaction of your database, with a unique key on the id: then a crash between the two loses nothing and does
 * nothing twice.
 */
export class Inbox {
  constructor(handle) {
    this.handle = handle;
    this.ids = new Set();
  }

  /** Gives whether the event is new. */
  take(id, event) {
    if (this.ids.has(id)) return false;
    this.handle(id, event);
    this.ids.add(id);
    // A set has its oldest member first.
    if (this.ids.size > MAX_IDS) this.ids.delete(this.ids.values().next().value);
    return true;
  }
}
