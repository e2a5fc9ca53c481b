import { setTimeout as sleep } from 'node:timers/promises';
import {
  InvalidInput,
  type Caller,
  type CommandRequest,
  type EventFacts,
  type HoldService,
  type PeriodCloseService,
  type ProgramCommands,
  type ProgramRead,
  type SqlQuery,
  type StatementRun,
  type StatementRunService,
  type StatementSender,
} from 'tillgate/noun';
import type { ClockState, SandboxClocks } from './sandbox.clocks.js';
import { later } from './sandbox.duration.js';
import type { ClockMove, SimulatedClock } from './sandbox.entity.js';
import { BadClockMove, LAST_YEAR, MAX_MOVE_DAYS, MAX_MOVE_PERIODS, MonthNotOver } from './sandbox.errors.js';
import { CLOSE_MONTH, MOVE_CLOCK, READ_CLOCK } from './sandbox.operations.js';

const DAY_MS = 86_400_000;
/** The time for which a request waits for what it has begun; the rest goes on by itself. */
const MAX_WAIT_MS = 8000;
const LOOK_EVERY_MS = 50;

/** Where to move the clock: one of both. */
export interface ClockWish {
  readonly forward?: string | null;
  readonly to?: string | null;
}

/** Which month to close; the last one that is over without it. */
export interface MonthWish {
  readonly month?: string | null;
}

interface ClockFacts {
  readonly clock: ClockState;
  readonly record: ProgramRead | null;
}

interface ClockMoveResult {
  readonly now: string;
  readonly runIds: readonly string[];
}

/** The clock of a program, and what ends as it passes: months and years. */
export class SandboxClockService {
  constructor(
    private readonly clocks: SandboxClocks,
    private readonly commands: ProgramCommands,
    private readonly periods: PeriodCloseService,
    private readonly runs: StatementRunService,
    private readonly holds: HoldService,
  ) {}

  private readonly moving = this.commands.command<ClockWish, ClockFacts, ClockMoveResult, readonly SqlQuery[]>(
    MOVE_CLOCK,
    {
      readFacts: (transaction, requests) => this.readFacts(transaction, requests),
      permit: (program, { clock, record }, { input }) => {
        const to = targetOf(clock, input);
        // The clock also goes on by itself, so more may be due: the oldest periods are left to `closeMonth`.
        const due = this.periods.due(clock.closedUntil, to).slice(-MAX_MOVE_PERIODS);
        const { runIds, queries } = this.periods.start(program, record, due);
        const draft = [this.clocks.moving(program, to, clock), ...queries];
        return { result: { now: to.toISOString(), runIds }, draft };
      },
      write: accepted => accepted.flatMap(({ draft }) => draft),
      event,
    },
  );

  private readonly closing = this.commands.command<MonthWish, ClockFacts, ClockMoveResult, readonly SqlQuery[]>(
    CLOSE_MONTH,
    {
      readFacts: (transaction, requests) => this.readFacts(transaction, requests),
      permit: (program, { clock: { now }, record }, { input }) => {
        const period = input.month ?? this.periods.monthBefore(now);
        if (!this.periods.isOver(period, now)) throw new MonthNotOver();
        const { runIds, queries } = this.periods.start(program, record, [{ kind: 'close', period }]);
        return { result: { now: now.toISOString(), runIds }, draft: queries };
      },
      write: accepted => accepted.flatMap(({ draft }) => draft),
      event,
    },
  );

  /** Throws `InsufficientScope`, `ProgramWideOnly`. */
  async show(caller: Caller): Promise<SimulatedClock> {
    caller.require(READ_CLOCK);
    return { now: (await this.clocks.now(caller.program)).toISOString() };
  }

  /** Moves the clock, and waits for the holds and the periods that end on the way. Throws `InvalidInput`. */
  async move(caller: Caller, wish: ClockWish): Promise<ClockMove> {
    this.moving.allow(caller);
    if (Boolean(wish.forward) === Boolean(wish.to)) throw notOne();
    const { now, runIds } = await this.moving(caller, wish);
    return { now, statementRuns: await this.ended(caller, runIds) };
  }

  /** Closes a month, and waits for its statements. Throws `MonthNotOver`. */
  async closeMonth(caller: Caller, wish: MonthWish): Promise<StatementRun> {
    const { runIds } = await this.closing(caller, wish);
    const [run] = await this.ended(caller, runIds);
    return run as StatementRun;
  }

  private async readFacts(
    transaction: StatementSender,
    requests: readonly CommandRequest<object>[],
  ): Promise<ClockFacts[]> {
    const programs = requests.map(({ caller }) => caller.program);
    const [states, records] = await Promise.all([
      this.clocks.states(transaction, programs),
      this.periods.readFacts(transaction, programs),
    ]);
    return states.map((clock, index) => ({ clock, record: records[index] ?? null }));
  }

  /** The runs as they are once they and the holds that ended are over, or after the longest wait. */
  private async ended(caller: Caller, runIds: readonly string[]): Promise<StatementRun[]> {
    const deadline = performance.now() + MAX_WAIT_MS;
    for (;;) {
      const [due, ...runs] = await Promise.all([
        this.holds.repository.due(1),
        ...runIds.map(runId => this.runs.get(caller, runId)),
      ]);
      const isOver =
        runs.every(({ status }) => status !== 'RUNNING') && !due.some(({ program }) => program === caller.program);
      if (isOver || performance.now() > deadline) return runs;
      await sleep(LOOK_EVERY_MS);
    }
  }
}

/** Throws `BadClockMove`. */
function targetOf({ now }: ClockState, { forward, to }: ClockWish): Date {
  const target = forward ? later(now, forward) : new Date(to ?? 0);
  const pointer = forward ? '/forward' : '/to';
  if (target <= now) {
    throw new BadClockMove(pointer, 'Must lead to an instant after the present one: the clock never goes back.');
  }
  if (target.getTime() - now.getTime() > MAX_MOVE_DAYS * DAY_MS) {
    throw new BadClockMove(pointer, `Must lead at most ${MAX_MOVE_DAYS} days ahead. Move the clock more than once.`);
  }
  if (target.getUTCFullYear() > LAST_YEAR) {
    throw new BadClockMove(pointer, `Must not lead beyond the end of ${LAST_YEAR}.`);
  }
  return target;
}

function notOne(): InvalidInput {
  const detail = 'Exactly one of forward and to must be given. Send one of them.';
  return new InvalidInput('rule_broken', [{ pointer: '/to', code: 'alternatives', detail }]);
}

function event({
  caller,
  result: { now, runIds },
}: {
  readonly caller: Caller;
  readonly result: ClockMoveResult;
}): EventFacts {
  return { object: `clock/${caller.program}`, data: { now, statementRuns: runIds.length } };
}
