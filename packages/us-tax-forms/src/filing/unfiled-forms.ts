import type { Database } from 'tillgate/noun';
import type { UnfilableReason } from '../iris/returned-form.js';
import { UnfiledForm } from '../unfiled-form.entity.js';
import type { PayerYear } from './due-returns.js';

/** The number of rows that are written to the database at a time. */
const ROWS_AT_ONCE = 1000;

/** Keeps the forms of a year that a filing cannot take, for who looks after them. */
export class UnfiledForms {
  private readonly waiting = new Map<string, UnfilableReason>();

  constructor(
    private readonly database: Database,
    private readonly of: PayerYear,
  ) {}

  /** Forgets those of the filing before, all of which are looked at again. */
  async begin(): Promise<void> {
    const { program, taxYear, isTest } = this.of;
    await this.database.em().nativeDelete(UnfiledForm, { program, taxYear, isTest });
  }

  async add(accountId: string, reason: UnfilableReason): Promise<void> {
    this.waiting.set(accountId, reason);
    if (this.waiting.size >= ROWS_AT_ONCE) await this.end();
  }

  async end(): Promise<void> {
    const { program, taxYear, isTest } = this.of;
    const rows = [...this.waiting].map(([accountId, reason]) => ({ program, taxYear, isTest, accountId, reason }));
    this.waiting.clear();
    if (rows.length === 0) return;
    // `upsertMany` does not find rows again whose key has a boolean.
    const key = ['program', 'taxYear', 'isTest', 'accountId'] as const;
    await this.database
      .em()
      .createQueryBuilder(UnfiledForm)
      .insert(rows)
      .onConflict([...key])
      .merge()
      .execute();
  }
}
