import type { AccountService } from '../account/account.service.js';
import type { OwnerService } from '../owner/owner.service.js';
import type { ProgramCommands } from '../../platform/command/program-commands.js';
import { noun, resolver } from '../../platform/noun/noun.js';
import type { NounBase } from '../../platform/noun/noun-base.js';
import type { ProgramService } from '../program/program.service.js';
import { DocumentThreads } from './document-threads.js';
import { IssueBatch, IssueLeftOut, IssueRun, IssueRunIssuer, IssueRunProgram } from './issue/issue-run.entity.js';
import { IssuerRecords } from './issue/issuers.js';
import { takePartInIssuing } from './issue/issuing.js';
import { OwnRuns } from './issue/rerun.js';
import { RerunService } from './run/rerun.service.js';
import { StartService } from './run/start.service.js';
import { StatementRunResolver } from './run/statement-run.resolver.js';
import { StatementRunService } from './run/statement-run.service.js';
import { StatementRuns } from './run/statement-runs.js';
import { StopService } from './run/stop.service.js';
import { ReportPrintingService } from './report-printing.service.js';
import { StatementCorrectionResolver } from './statement-correction.resolver.js';
import { Statement } from './statement.entity.js';
import { STATEMENT_EVENTS } from './statement.events.js';
import { StatementRepository } from './statement.repository.js';
import { AddStatementPayload, StatementResolver } from './statement.resolver.js';
import { StatementService } from './statement.service.js';
import { StatementVault } from './statement.vault.js';
import { TaxFormService } from './tax-form.service.js';
import { READ_STATEMENTS } from './statement.operations.js';
import { statementRest } from './statement.rest.js';
import { statementRunRest } from './run/statement-run.rest.js';

interface PrintingNeeds {
  readonly owners: OwnerService;
  readonly programs: ProgramService;
}

/** Prints documents, for other nouns as well. */
export const documentPrinting = noun({
  services: ({ database, keys, owners, programs, layouts }: NounBase & PrintingNeeds) => {
    const documentThreads = new DocumentThreads(1, layouts);
    const issuers = new IssuerRecords(database, keys, programs);
    const reportPrinting = new ReportPrintingService(database, owners, issuers, documentThreads);
    return { documentThreads, issuers, reportPrinting };
  },
  close: of => of.documentThreads.close(),
});

interface Needs {
  readonly accounts: AccountService;
  readonly owners: OwnerService;
  readonly programCommands: ProgramCommands;
  readonly documentThreads: DocumentThreads;
  readonly issuers: IssuerRecords;
  readonly config: { readonly closeMonthly: boolean };
}

export const statementNoun = noun({
  entities: [Statement, IssueRun, IssueRunProgram, IssueLeftOut, IssueBatch, IssueRunIssuer],
  events: STATEMENT_EVENTS,
  services: ({ database, keys, log, ...of }: NounBase & Needs) => {
    const { accounts, owners, programCommands, documentThreads, issuers } = of;
    const statementVault = new StatementVault(keys);
    const documents = new StatementRepository(database);
    const statementRuns = new StatementRunService(new StatementRuns(database));
    const ownRuns = new OwnRuns(database);
    const sources = { database, owners, vault: statementVault, log };
    return {
      statements: new StatementService(database, documents, accounts, statementVault, documentThreads),
      statementRuns,
      reruns: new RerunService(programCommands, issuers, ownRuns, statementRuns),
      runStarts: new StartService(programCommands, accounts, issuers, ownRuns, statementRuns, sources),
      runStops: new StopService(programCommands, database, ownRuns, statementRuns),
      statementVault,
      taxForms: new TaxFormService(database, statementVault),
    };
  },
  resolvers: [
    resolver(StatementResolver, 'statements'),
    resolver(StatementCorrectionResolver, 'statements'),
    resolver(StatementRunResolver, 'statementRuns', 'reruns', 'runStarts', 'runStops'),
  ],
  belongToAccount: [Statement, AddStatementPayload],
  rest: () => [statementRest, statementRunRest],
  routesTried: 'last',
  nodes: ({ accounts, statements, statementRuns }) => ({
    Statement: accounts.finding(READ_STATEMENTS, (...key) => statements.find(...key)),
    StatementRun: (caller, runId = '') => statementRuns.find(caller, runId),
  }),
  jobs: async (of, { log, health, tasks }) => [
    await takePartInIssuing({
      ...of,
      vault: of.statementVault,
      log,
      health,
      tasks,
      monthly: of.config.closeMonthly,
      // Requests come first: one batch at a time, drawn by the one thread for documents.
      concurrency: 1,
      threads: of.documentThreads,
    }),
  ],
});
