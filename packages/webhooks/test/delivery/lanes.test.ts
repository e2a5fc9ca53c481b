import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { DueDelivery } from '../../src/delivery/deliverable.js';
import { Lanes } from '../../src/delivery/lanes.js';
import { rounds } from '../../../../test/support/rounds.js';

type State = 'WAITING' | 'HELD' | 'DELIVERED';

interface Row {
  readonly deliverable: DueDelivery;
  state: State;
  dueMs: number | null;
}

function row(position: number, lane: string): Row {
  const rest = { attempts: 0, type: 'card.frozen', createdAt: '', event: null, testData: null };
  return {
    deliverable: {
      deliveryId: String(position),
      position,
      lane,
      dueMs: null,
      ...rest,
    },
    state: 'WAITING',
    dueMs: null,
  };
}

/** Lanes over rows that are stored, used as the sender uses them: what is written comes late, and processes change. */
class Model {
  readonly lanes = new Lanes();
  readonly rows: Row[] = [];
  readonly inFlight: DueDelivery[] = [];
  /** The positions of attempts, in their order. */
  readonly taken: number[] = [];
  private readonly succeeded = new Set<number>();
  private place = -1;
  private nowMs = 0;
  private unsaved: (() => void)[] = [];
  private readonly unsavedIds = new Set<string>();

  commit(lane: number): void {
    this.rows.push(row(this.rows.length, `acc-${lane}`));
  }

  load(room: number): void {
    if (!this.lanes.takesMore) return;
    const next = this.rows
      .filter(({ state, deliverable }) => state === 'WAITING' && deliverable.position > this.place)
      .slice(0, room);
    this.place = next.at(-1)?.deliverable.position ?? this.place;
    const fresh = next.map(({ deliverable }) => deliverable).filter(deliverable => !this.isKnown(deliverable));
    for (const { position } of this.lanes.add(fresh)) {
      if (this.rowAt(position).state === 'WAITING') this.rowAt(position).state = 'HELD';
    }
  }

  continue(): void {
    for (const name of this.lanes.toContinue(this.nowMs, 5)) {
      const held = this.rows
        .filter(({ state, deliverable }) => state === 'HELD' && deliverable.lane === name)
        .slice(0, Lanes.CONTINUE_ROOM)
        .map(({ deliverable, dueMs }) => ({ ...deliverable, dueMs }));
      this.lanes.continue(name, held, this.nowMs, deliverable => this.isKnown(deliverable));
    }
  }

  take(): void {
    const deliverable = this.lanes.take();
    if (!deliverable) return;
    if (this.inFlight.some(({ lane }) => lane === deliverable.lane)) throw new Error('two of a lane are being sent');
    if (this.succeeded.has(deliverable.position)) throw new Error('one that succeeded is sent again');
    this.taken.push(deliverable.position);
    this.inFlight.push(deliverable);
  }

  finish(index: number, succeeds: boolean): void {
    const [deliverable] = this.inFlight.splice(index % Math.max(1, this.inFlight.length), 1);
    if (!deliverable) return;
    const { position, deliveryId } = deliverable;
    this.unsavedIds.add(deliveryId);
    if (succeeds) {
      this.succeeded.add(position);
      this.unsaved.push(() => (this.rowAt(position).state = 'DELIVERED'));
      this.unsaved.push(() => this.unsavedIds.delete(deliveryId));
      this.lanes.succeed(deliverable);
      return;
    }
    const dueMs = this.nowMs + 3;
    const { followers, saved } = this.lanes.fail(deliverable, dueMs);
    this.unsaved.push(() => {
      Object.assign(this.rowAt(position), { state: 'HELD', dueMs });
      for (const id of followers) if (this.rowAt(Number(id)).state === 'WAITING') this.rowAt(Number(id)).state = 'HELD';
      this.unsavedIds.delete(deliveryId);
      saved();
    });
  }

  save(): void {
    for (const write of this.unsaved) write();
    this.unsaved = [];
  }

  /** As after a lost connection: everything is looked at again. */
  beginAnew(): void {
    this.save();
    const held = new Map<string, number | null>();
    for (const { state, dueMs, deliverable } of this.rows) {
      if (state === 'HELD' && !held.has(deliverable.lane)) held.set(deliverable.lane, dueMs);
    }
    // An attempt fails while the database is read.
    this.finish(0, false);
    this.lanes.reset([...held]);
    this.place = -1;
  }

  pass(): void {
    this.nowMs += 1;
  }

  /** Everything succeeds from now on. */
  finishAll(): void {
    for (let round = 0; this.rows.some(({ state }) => state !== 'DELIVERED'); round += 1) {
      if (round > 10_000) throw new Error('some are never sent');
      this.pass();
      this.load(50);
      this.continue();
      for (let count = 0; count < 20; count += 1) this.take();
      while (this.inFlight.length > 0) this.finish(0, true);
      this.save();
    }
  }

  private isKnown({ deliveryId }: DueDelivery): boolean {
    return this.unsavedIds.has(deliveryId) || this.inFlight.some(each => each.deliveryId === deliveryId);
  }

  private rowAt(position: number): Row {
    return this.rows[position] as Row;
  }
}

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ commit: fc.nat(4) }) },
  { weight: 4, arbitrary: fc.record({ load: fc.integer({ min: 1, max: 60 }) }) },
  { weight: 6, arbitrary: fc.constant({ take: true }) },
  { weight: 5, arbitrary: fc.record({ finish: fc.nat(10), succeeds: fc.boolean() }) },
  { weight: 2, arbitrary: fc.constant({ continue: true }) },
  { weight: 2, arbitrary: fc.constant({ save: true }) },
  { weight: 2, arbitrary: fc.constant({ pass: true }) },
  { weight: 1, arbitrary: fc.constant({ beginAnew: true }) },
);

test('whatever fails and is written late, each lane is sent in order, one at a time, and nothing is left out', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 50, maxLength: 400, size: 'max' }), steps => {
      const model = new Model();
      for (const each of steps) {
        if ('commit' in each) for (let count = 0; count < 10; count += 1) model.commit(each.commit);
        else if ('load' in each) model.load(each.load);
        else if ('take' in each) model.take();
        else if ('finish' in each) model.finish(each.finish, each.succeeds);
        else if ('continue' in each) model.continue();
        else if ('save' in each) model.save();
        else if ('pass' in each) model.pass();
        else model.beginAnew();
      }
      while (model.inFlight.length > 0) model.finish(0, true);
      model.save();
      model.finishAll();
      const firsts = [...new Set(model.taken)];
      const byLane = Map.groupBy(firsts, position => model.rows[position]?.deliverable.lane);
      for (const positions of byLane.values()) expect(positions).toEqual(positions.toSorted((a, b) => a - b));
      expect(firsts).toHaveLength(model.rows.length);
    }),
    { numRuns: rounds(200) },
  );
});
