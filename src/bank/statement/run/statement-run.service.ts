import { windowAt } from '../../../platform/repository/listing.js';
import type { Caller } from '../../../shared/caller.js';
import { instantPlaceOf, positionAt } from '../../../shared/instant-place.js';
import { BANK_ID, UUID_TEXT } from '../../../shared/ids.js';
import {
  sliceOf,
  windowOf,
  type CursorRequest,
  type Listing,
  type Page,
  type PageRequest,
} from '../../../shared/page.js';
import { StatementRunNotFound } from '../statement.errors.js';
import type { AccountLeftOutView, RunView, StatementRuns } from './statement-runs.js';
import type { StatementRunFilter } from './statement-run.entity.js';
import { READ_STATEMENT_RUNS } from '../statement.operations.js';

/** Reads what was issued to the accounts of the caller's program, and to which of them nothing. */
export class StatementRunService {
  constructor(private readonly runs: StatementRuns) {}

  /** By their periods and starts, the newest first. Throws `InvalidInput`. */
  list(caller: Caller, request: CursorRequest, filter: StatementRunFilter | null): Listing<RunView> {
    caller.require(READ_STATEMENT_RUNS);
    const window = windowOf(request, (cursor, pointer) => {
      const { id: runId } = instantPlaceOf(cursor, pointer);
      return { runId };
    });
    const selection = { ...filter, program: caller.program };
    return {
      page: async () => {
        const rows = await this.runs.page(selection, { ...window, limit: window.limit + 1 });
        return sliceOf<RunView>(rows, window, ({ startedAt: at, runId: id }) => positionAt({ at, id }));
      },
      total: () => this.runs.count(selection),
    };
  }

  /** A page by offset of the runs of the program. */
  async page(caller: Caller, { offset, limit }: PageRequest, filter: StatementRunFilter): Promise<Page<RunView>> {
    caller.require(READ_STATEMENT_RUNS);
    const selection = { ...filter, program: caller.program };
    const [items, total] = await Promise.all([
      this.runs.page(selection, { skip: offset, limit }),
      this.runs.count(selection),
    ]);
    return { items, total };
  }

  /** One run that was for the caller's program, or null. */
  async find(caller: Caller, runId: string): Promise<RunView | null> {
    caller.require(READ_STATEMENT_RUNS);
    if (!UUID_TEXT.test(runId)) return null;
    const [found] = await this.runs.page({ program: caller.program, runId }, { skip: 0, limit: 1 });
    return found ?? null;
  }

  /** Throws `StatementRunNotFound`. */
  async get(caller: Caller, runId: string): Promise<RunView> {
    const found = await this.find(caller, runId.toLowerCase());
    if (!found) throw new StatementRunNotFound();
    return found;
  }

  /** The accounts of the caller's program that got no document in a run, by their ids. Throws `InvalidInput`. */
  leftOut(caller: Caller, { runId }: Pick<RunView, 'runId'>, request: CursorRequest): Listing<AccountLeftOutView> {
    caller.require(READ_STATEMENT_RUNS);
    const { program } = caller;
    const window = windowAt({ form: BANK_ID }, request);
    return {
      page: async () => {
        const rows = await this.runs.leftOut(runId, program, { ...window, limit: window.limit + 1 });
        return sliceOf(rows, window, ({ accountId }) => accountId);
      },
      total: () => this.runs.leftOutCount(runId, program),
    };
  }

  /** A page by offset of the accounts that a run left out. Throws `StatementRunNotFound`. */
  async leftOutPage(caller: Caller, id: string, { offset, limit }: PageRequest): Promise<Page<AccountLeftOutView>> {
    const { runId } = await this.get(caller, id);
    const [items, total] = await Promise.all([
      this.runs.leftOut(runId, caller.program, { skip: offset, limit }),
      this.runs.leftOutCount(runId, caller.program),
    ]);
    return { items, total };
  }
}
