import {
  LocalPlaces,
  LocalTally,
  type ReachedLimit,
  type PlaceLimits,
  type TallyOrder,
  type WindowUsage,
} from './limits.js';

/** The state that the primary keeps for its workers: tallies and places, by their names. */
export class CommonState {
  private readonly tallies = new Map<string, LocalTally>();
  private readonly places = new Map<string, LocalPlaces>();
  /** The places of each worker, to be given back when it has died. */
  private readonly held = new Map<number, Map<string, { name: string; client: string; count: number }>>();

  /** A window of another length, after a change of settings, is another tally. */
  add(name: string, order: TallyOrder, key: string, uses: number): WindowUsage {
    const id = `${name} ${order.windowMs}`;
    let tally = this.tallies.get(id);
    if (!tally) this.tallies.set(id, (tally = new LocalTally(order)));
    return tally.addNow(key, uses);
  }

  take(worker: number, name: string, limits: PlaceLimits, client: string): ReachedLimit | null {
    let places = this.places.get(name);
    if (!places) this.places.set(name, (places = new LocalPlaces(limits)));
    const full = places.takeNow(client, limits);
    if (full === null) this.count(worker, name, client, 1);
    return full;
  }

  giveBack(worker: number, name: string, client: string): void {
    if (!this.held.get(worker)?.has(`${name} ${client}`)) return;
    this.count(worker, name, client, -1);
    this.places.get(name)?.giveBack(client);
  }

  /** Gives back all places of a worker that has ended. */
  forget(worker: number): void {
    for (const { name, client, count } of this.held.get(worker)?.values() ?? []) {
      for (let n = 0; n < count; n += 1) this.places.get(name)?.giveBack(client);
    }
    this.held.delete(worker);
  }

  private count(worker: number, name: string, client: string, by: number): void {
    const ofWorker = this.held.get(worker) ?? new Map<string, { name: string; client: string; count: number }>();
    this.held.set(worker, ofWorker);
    const key = `${name} ${client}`;
    const entry = ofWorker.get(key) ?? { name, client, count: 0 };
    entry.count += by;
    if (entry.count > 0) ofWorker.set(key, entry);
    else ofWorker.delete(key);
  }
}
