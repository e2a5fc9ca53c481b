import { raw } from '@mikro-orm/core';
import type { EntityManager, QBFilterQuery } from '@mikro-orm/postgresql';
import type { ProgramRead, StatementsWithoutActivity } from '../../program/program.entity.js';
import type { ProgramService } from '../../program/program.service.js';
import { SealBroken, type KeyRing } from '../../../platform/crypto/key-ring.js';
import { Account } from '../../account/account.entity.js';
import type { Database } from '../../../platform/database/orm.js';
import type { StatementSender, SqlQuery, SqlTransaction } from '../../../platform/database/transaction.js';
import { BatchedRepository } from '../../../platform/repository/batched-repository.js';
import type { Issuer, Logo, Payer } from '../statement.content.js';
import { IssueRun, IssueRunIssuer, type RunIssuer } from './issue-run.entity.js';
import { presentIssuers, type PresentIssuers, type RunIssuers } from './issuer-rules.js';
import type { IssueKind } from './period.js';

/** The accounts of a job: those of a run from one id to another. */
interface JobAccounts {
  readonly runId: string;
  readonly from: string;
  readonly to: string;
}

/** Gives the issuers of the documents of a job, by program. */
export class Issuers {
  /** An issuer that cannot be decrypted is an error, which its own program's documents meet. */
  constructor(private readonly byProgram: ReadonlyMap<string, RunIssuer | SealBroken>) {}

  /** In the order of their ids. */
  get programs(): string[] {
    return [...this.byProgram.keys()];
  }

  of(program: string): Issuer {
    return this.one(program).issuer;
  }

  /** In a run of forms. */
  payerOf(program: string): Payer {
    const { payer } = this.one(program);
    if (!payer) throw new Error('a run of forms has a program without a payer');
    return payer;
  }

  logoOf(program: string): Logo | null {
    return this.one(program).logo;
  }

  /** Which accounts without a transaction in a month get a statement of it. */
  withoutActivityOf(program: string): StatementsWithoutActivity {
    return this.one(program).statementsWithoutActivity;
  }

  private one(program: string): RunIssuer {
    const issuer = this.byProgram.get(program);
    if (!issuer) throw new Error('a run issues for a program that it does not have');
    if (issuer instanceof SealBroken) throw issuer;
    return issuer;
  }
}

/** A run that is going to begin. */
type NewIssueRun = Readonly<
  Pick<IssueRun, 'runId' | 'kind' | 'period' | 'program' | 'startedBy' | 'issueIncomplete' | 'rerunOf' | 'accounts'>
>;

/** Keeps the issuers of the documents of each run: the programs as their records were when the run began. */
export class IssuerRecords {
  private readonly repository: RunIssuerRepository;

  constructor(
    private readonly database: Database,
    keys: KeyRing,
    private readonly programs: ProgramService,
  ) {
    this.repository = new RunIssuerRepository(database, keys);
  }

  /** The issuers of the program, or of all programs that have accounts, as their records are now. */
  async present(
    transaction: SqlTransaction,
    { kind, program }: { readonly kind: IssueKind; readonly program: string | null },
  ): Promise<PresentIssuers> {
    const names = await programsOf(this.database.em(transaction), program === null ? {} : { program });
    const records = await this.records(transaction, names);
    return presentIssuers(
      kind,
      names.map((name, index) => [name, records[index] ?? null]),
    );
  }

  /** The statements that keep a run and its issuers. */
  keeping(run: NewIssueRun, issuers: RunIssuers): SqlQuery[] {
    const { runId } = run;
    const drafts = Array.from(issuers, ([program, issuer]) => this.repository.draft({ runId, program, issuer }));
    return [
      this.database.queryOf(
        this.database
          .em()
          .createQueryBuilder(IssueRun)
          .insert({ ...run, startedAt: raw('now()') }),
      ),
      ...(drafts.length > 0 ? [this.repository.insertion(drafts)] : []),
    ];
  }

  /** The records of these programs. */
  records(asking: StatementSender, programs: readonly string[]): Promise<(ProgramRead | null)[]> {
    return this.programs.repository.each(
      asking,
      programs.map(program => [program]),
    );
  }

  /** The issuers of the accounts of a job. */
  ofJob(database: Database, job: JobAccounts): Promise<Issuers> {
    return this.repository.ofJob(database, job);
  }
}

type RunIssuerRead = Pick<IssueRunIssuer, 'program'> & { readonly issuer: RunIssuer };

class RunIssuerRepository extends BatchedRepository<IssueRunIssuer, RunIssuerRead> {
  constructor(database: Database, keys: KeyRing) {
    super(database, IssueRunIssuer, keys);
  }

  private issuerIn(found: IssueRunIssuer): RunIssuer | SealBroken {
    try {
      return this.found(found).issuer;
    } catch (error) {
      if (error instanceof SealBroken) return error;
      throw error;
    }
  }

  async ofJob(database: Database, { runId, from, to }: JobAccounts): Promise<Issuers> {
    const em = database.primary();
    // A run may have many programs, and a job has accounts of few of them.
    const program = { $in: await programsOf(em, { accountId: { $gte: from, $lte: to } }) };
    const found = await em.find(IssueRunIssuer, { runId, program }, { orderBy: { program: 'asc' } });
    return new Issuers(new Map(found.map(one => [one.program, this.issuerIn(one)])));
  }
}

/** The programs of accounts, in their order. */
async function programsOf(em: EntityManager, which: QBFilterQuery<Account>): Promise<string[]> {
  const accounts = em.createQueryBuilder(Account, 'a').select('program', true).where(which).orderBy({ program: 'asc' });
  return (await accounts.execute<Pick<Account, 'program'>[]>()).map(({ program }) => program);
}
