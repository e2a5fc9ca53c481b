import type { AccountService } from '../account/account.service.js';
import type { Denial } from '../platform/command/denial.js';
import type { ProgramCommands } from '../platform/command/program-commands.js';
import type { Database } from '../platform/database/orm.js';
import { SandboxAccess } from '../sandbox/sandbox.access.js';
import type { CardService } from '../card/card.service.js';
import type { HoldService } from '../hold/hold.service.js';
import { SandboxCardService } from '../sandbox/sandbox-cards.service.js';
import { SandboxClockService } from '../sandbox/sandbox-clock.service.js';
import { SandboxClocks } from '../sandbox/sandbox.clocks.js';
import { SandboxDraw } from '../sandbox/sandbox.draw.js';
import { SandboxReturnService } from '../sandbox/sandbox-returns.service.js';
import { SandboxPostingService } from '../sandbox/sandbox-postings.service.js';
import type { Config } from './config.js';
import type { IssuerRecords } from '../statement/issue/issuers.js';
import { PeriodCloseService } from '../statement/issue/period-close.service.js';
import type { StatementRunService } from '../statement/run/statement-run.service.js';
import type { PostingService } from '../transaction/posting.service.js';

/** What makes things happen by request. */
export interface Sandbox {
  readonly postings: SandboxPostingService;
  readonly clock: SandboxClockService;
  readonly cards: SandboxCardService;
  readonly returns: SandboxReturnService;
}

/** The services of the bank that simulations go through. */
interface SandboxOrder {
  readonly database: Database;
  readonly accounts: AccountService;
  readonly posting: PostingService;
  readonly cards: CardService;
  readonly holds: HoldService;
  readonly programCommands: ProgramCommands;
  readonly issuers: IssuerRecords;
  readonly statementRuns: StatementRunService;
  readonly deny: (denial: Denial) => void;
}

/** The setting of a connection by which the database reads the clocks of programs. Without it none is ahead. */
export function sandboxSession({ sandbox }: Pick<Config, 'sandbox'>): Readonly<Record<string, string>> {
  return sandbox ? { 'tillgate.sandbox': 'on' } : {};
}

export function openSandbox(of: SandboxOrder): Sandbox {
  const clocks = new SandboxClocks(of.database);
  const access = new SandboxAccess(of.accounts, of.deny);
  const periods = new PeriodCloseService(of.issuers);
  const draw = new SandboxDraw(clocks);
  const postings = new SandboxPostingService(draw, access, of.posting);
  return {
    postings,
    clock: new SandboxClockService(clocks, of.programCommands, periods, of.statementRuns, of.holds),
    cards: new SandboxCardService(draw, access, of.cards, of.holds),
    returns: new SandboxReturnService(of.database, draw, access, of.posting, postings),
  };
}
