import type { EntityManager } from '@mikro-orm/postgresql';
import type { Asked, GroupCommand, GroupWork } from '../platform/command/group-work.js';
import type { Command } from '../platform/command/command.js';
import type { CommandService } from '../platform/command/command.service.js';
import { batcher } from '../platform/repository/batcher.js';
import { oneByOrdinal, type WithOrdinal } from '../platform/repository/by-ordinal.js';
import type { Database } from '../platform/database/orm.js';
import { statementOf } from '../../lib/pg-wire/statement.js';
import type { Caller, Scope } from '../shared/caller.js';
import { Refusal } from '../shared/errors.js';
import { pageRequestOf, positionOf, sliceOf, type CursorRequest, type Listing, type Slice } from '../shared/page.js';
import type { AccountDenials } from './account.denials.js';
import type { AccountView } from './account.entity.js';
import { AccountNotFound } from './account.errors.js';
import type { AccountFilter } from './account.inputs.js';
import { lockEach, lockMany } from './account.locks.js';
import { ACCOUNT_COLUMNS, accountOf, type AccountRow } from './account.row.js';
import { visible, type Sight } from './account.visibility.js';
import { BANK_ID } from '../shared/ids.js';

export { VISIBLE_TO_EACH, sightOf, type Sight } from './account.visibility.js';

const SEEN_BY_PROGRAM = {
  name: 'accounts_seen_by_program',
  text: `SELECT ${ACCOUNT_COLUMNS}, k.n::int FROM unnest($1::text[], $2::text[]) WITH ORDINALITY k(account_id, program, n)
    JOIN account a ON a.account_id = k.account_id WHERE ${visible('k.program', null)}`,
};

const SEEN_BY_CUSTOMER = {
  name: 'accounts_seen_by_customer',
  text: `SELECT ${ACCOUNT_COLUMNS}, k.n::int
    FROM unnest($1::text[], $2::text[], $3::uuid[]) WITH ORDINALITY k(account_id, program, customer_id, n)
    JOIN account a ON a.account_id = k.account_id WHERE ${visible('k.program', 'k.customer_id')}`,
};

/** The refusals of what a caller may not do, in contrast to what nobody can do. */
const DENIALS: ReadonlySet<string> = new Set(['insufficient_scope', 'program_wide_only', 'account_not_found']);

export class AccountService {
  // A batch holds keys of many callers, so each key carries its caller's program and customer, and its row is checked against them.
  private readonly seenByProgram = batcher<Sight, AccountView | null>(async keys => {
    const values = [keys.map(key => key.accountId), keys.map(key => key.program)];
    const rows = await this.database.queryTogether<WithOrdinal<AccountRow>>(SEEN_BY_PROGRAM, values);
    return oneByOrdinal(rows, keys.length, accountOf);
  });

  private readonly seenByCustomer = batcher<Sight, AccountView | null>(async keys => {
    const values = [keys.map(key => key.accountId), keys.map(key => key.program), keys.map(key => key.customerId)];
    const rows = await this.database.queryTogether<WithOrdinal<AccountRow>>(SEEN_BY_CUSTOMER, values);
    return oneByOrdinal(rows, keys.length, accountOf);
  });

  constructor(
    private readonly database: Database,
    private readonly commands: CommandService,
    private readonly denials: AccountDenials,
  ) {}

  /** One account, or null when there is none that the caller may see. */
  async find(caller: Caller, accountId: string): Promise<AccountView | null> {
    caller.require('accounts.read');
    return this.see(caller, accountId);
  }

  /** The account, for reads of what belongs to it, which need a scope of their own. Throws `AccountNotFound`. */
  async mustSee(caller: Caller, accountId: string): Promise<AccountView> {
    const account = await this.see(caller, accountId);
    if (!account) throw new AccountNotFound();
    return account;
  }

  /** The accounts the caller may see, by id. Throws `InvalidInput`. */
  list(caller: Caller, request: CursorRequest, filter: AccountFilter | null): Listing<AccountView> {
    caller.require('accounts.read');
    const { limit } = pageRequestOf(request);
    const after = request.after ? positionOf(request.after, BANK_ID) : '';
    return {
      page: () => this.slice(caller, filter, limit, after),
      total: () => this.count(caller, filter),
    };
  }

  /**
   * A command on one account: its row is locked, so that changes to an account happen one after another.
   * Throws `AccountNotFound` besides what `CommandService.run` throws. What its caller may not do is on record.
   */
  async change<Result>(
    caller: Caller,
    command: Omit<Command<Result>, 'authorise'>,
    work: (em: EntityManager, account: AccountView) => Promise<Result>,
  ): Promise<Result> {
    const { accountId } = command;
    const authorise = async (em: EntityManager): Promise<void> =>
      void (await this.inTransaction(em, caller, accountId, ''));
    return this.recordingDenials(caller, command, () =>
      this.commands.run(caller, { ...command, authorise }, async em => {
        const account = await this.inTransaction(em, caller, accountId, 'FOR UPDATE OF a');
        // Who waited for the lock found the owners of the time before, and the change that was waited for may have removed this one.
        if (caller.customerId !== null) await authorise(em);
        return work(em, account);
      }),
    );
  }

  /** The same for commands that come often: see `CommandGroup`. `know` reads for each account what decides beside the account itself. */
  group<Input, Fact, Result, Draft>(
    work: Pick<GroupWork<Input, AccountView, Fact, Result, Draft>, 'know' | 'prepare' | 'permit' | 'write'>,
  ): (caller: Caller, command: GroupCommand<Result>, input: Input) => Promise<Result> {
    const group = this.commands.group<Input, AccountView, Fact, Result, Draft>({
      ...work,
      lock: (transaction, asked, waits) => lockEach(transaction, asked.map(comparable), waits),
      know: (transaction, asked) => work.know(transaction, asked.map(comparable)),
      notFound: () => new AccountNotFound(),
    });
    return (caller, command, input) => this.recordingDenials(caller, command, () => group.run(caller, command, input));
  }

  private async recordingDenials<Result>(
    caller: Caller,
    { name, accountId }: GroupCommand<Result>,
    work: () => Promise<Result>,
  ): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Refusal && DENIALS.has(error.code)) {
        this.denials.add({ caller, action: name, accountId, code: error.code });
      }
      throw error;
    }
  }

  /**
   * Throws `InsufficientScope` or `ProgramWideOnly`, and puts the attempt on record, unless the caller may give a command: for what has to be known before
   * the command's input is read. `accountId` is null where that says which account.
   */
  allow(caller: Caller, action: string, scope: Scope, accountId: string | null): void {
    const refusal = caller.refusalOf(scope);
    if (!refusal) return;
    this.denials.add({ caller, action, accountId, code: refusal.code });
    throw refusal;
  }

  /** The accounts of a program among `accountIds`, locked as a command locks one. For an import, which has no caller. */
  readonly lockMany = lockMany;

  private async slice(
    caller: Caller,
    filter: AccountFilter | null,
    limit: number,
    after: string,
  ): Promise<Slice<AccountView>> {
    const { where, values } = selection(caller, filter);
    const text = `SELECT ${ACCOUNT_COLUMNS} FROM account a WHERE ${where} AND a.account_id > $${values.length + 1}
      ORDER BY a.account_id LIMIT $${values.length + 2}`;
    const rows = await this.database.query<AccountRow>(statementOf(text), [...values, after, limit + 1]);
    return sliceOf(rows.map(accountOf), limit, after !== '', account => account.accountId);
  }

  private async count(caller: Caller, filter: AccountFilter | null): Promise<number> {
    const { where, values } = selection(caller, filter);
    const [row] = await this.database.query<[number]>(
      statementOf(`SELECT count(*)::int FROM account a WHERE ${where}`),
      values,
    );
    return row?.[0] ?? 0;
  }

  private async see(caller: Caller, accountId: string): Promise<AccountView | null> {
    if (!BANK_ID.test(accountId)) return null;
    const sight: Sight = { accountId, program: caller.program, customerId: caller.customerId };
    return sight.customerId === null ? this.seenByProgram(sight) : this.seenByCustomer(sight);
  }

  private async inTransaction(
    em: EntityManager,
    caller: Caller,
    accountId: string,
    lock: '' | 'FOR UPDATE OF a',
  ): Promise<AccountView> {
    if (!BANK_ID.test(accountId)) throw new AccountNotFound();
    const { program, customerId } = caller;
    const [row] = await em.execute<{ row: AccountRow }[]>(
      `SELECT jsonb_build_array(${ACCOUNT_COLUMNS}) AS row FROM account a WHERE a.account_id = ? AND ${visible('?', customerId === null ? null : '?')} ${lock}`,
      [accountId, program, ...(customerId === null ? [] : [customerId])],
    );
    if (!row) throw new AccountNotFound();
    return accountOf(row.row);
  }
}

// What cannot be the id of an account is compared with none: it may hold what PostgreSQL takes for no text at all.
function comparable(asked: Asked): Asked {
  return BANK_ID.test(asked.accountId) ? asked : { ...asked, accountId: '' };
}

// Conditions are fixed texts, so a selection is one of a few statements, each prepared once a connection.
function selection(caller: Caller, filter: AccountFilter | null): { where: string; values: unknown[] } {
  const values: unknown[] = [caller.program];
  const parameter = (value: unknown): string => `$${values.push(value)}`;
  const conditions = [visible('$1', caller.customerId === null ? null : parameter(caller.customerId))];
  if (filter?.accountIds) {
    conditions.push(`a.account_id = ANY(${parameter(filter.accountIds.filter(id => BANK_ID.test(id)))}::text[])`);
  }
  if (filter?.status) conditions.push(`a.status = ANY(${parameter(filter.status)}::text[])`);
  if (filter?.customerId) {
    conditions.push(
      `EXISTS (SELECT FROM account_owner f WHERE f.account_id = a.account_id AND f.customer_id = ${parameter(filter.customerId)})`,
    );
  }
  return { where: conditions.join(' AND '), values };
}
