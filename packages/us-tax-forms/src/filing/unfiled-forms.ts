import type { Database } from 'tillgate/noun';
import type { UnfilableReason } from '../iris/returned-form.js';
import { UnfiledForm } from '../unfiled-form.entity.js';
import type { PayerYear } from './due-returns.js';

/** The number of forms that are told. All of them are kept and counted. */
const MAX_TOLD = 100;
/** The number of rows that are written to the database at a time. */
const ROWS_AT_ONCE = 1000;

/**
 * Keeps the forms of a year that a run cannot file, for who looks after them. Those for the test system are told alone.
 */
export class UnfiledForms {
  count = 0;
  readonly told: Pick<UnfiledForm, 'accountId' | 'reason'>[] = [];
  private readonly waiting = new Map<string, UnfilableReason>();

  constructor(
    private readonly database: Database,
    private readonly of: PayerYear,
  ) {}

  /** Forgets those of the run before, all of which this run looks at again. */
  async begin(): Promise<void> {
    const { program, taxYear, isTest } = this.of;
    if (!isTest) await this.database.em().nativeDelete(UnfiledForm, { program, taxYear });
  }

  async add(accountId: string, reason: UnfilableReason): Promise<void> {
    this.count += 1;
    if (this.told.length < MAX_TOLD) this.told.push({ accountId, reason });
    if (this.of.isTest) return;
    this.waiting.set(accountId, reason);
    if (this.waiting.size >= ROWS_AT_ONCE) await this.end();
  }

  async end(): Promise<void> {
    const { program, taxYear } = this.of;
    const rows = [...this.waiting].map(([accountId, reason]) => ({ program, taxYear, accountId, reason }));
    this.waiting.clear();
    if (rows.length > 0) await this.database.em().upsertMany(UnfiledForm, rows);
  }
}
