import {
  PeriodCloseService,
  noun,
  type NounBase,
  type AccountService,
  type CardService,
  type Denial,
  type HoldService,
  type PostingService,
  type ProgramCommands,
  type StatementRunService,
  type TransferService,
} from 'tillgate/noun';
import { SandboxCardResolver } from './sandbox-cards.resolver.js';
import { SandboxCardService } from './sandbox-cards.service.js';
import { SandboxClockService } from './sandbox-clock.service.js';
import { SandboxPostingService } from './sandbox-postings.service.js';
import { SandboxReturnService } from './sandbox-returns.service.js';
import { SandboxTransferResolver } from './sandbox-transfers.resolver.js';
import { SandboxTransferService } from './sandbox-transfers.service.js';
import { SandboxAccess } from './sandbox.access.js';
import { SandboxClocks, refuseMovedClocks } from './sandbox.clocks.js';
import { SandboxDraw } from './sandbox.draw.js';
import { SandboxProgram } from './sandbox.entity.js';
import { SandboxResolver } from './sandbox.resolver.js';
import { sandboxRest } from './sandbox.rest.js';
import { servedOf, type Sandbox } from './sandbox.js';
import { CreateSandbox, PROGRAM_NOW_ON_CITUS } from './sandbox.migrations.js';
import { SANDBOX_PROBLEMS } from './sandbox.errors.js';

/** The services of the bank that simulations go through. */
interface Needs {
  readonly accounts: AccountService;
  readonly posting: PostingService;
  readonly cards: CardService;
  readonly holds: HoldService;
  readonly transfers: TransferService;
  readonly programCommands: ProgramCommands;
  readonly issuers: ConstructorParameters<typeof PeriodCloseService>[0];
  readonly statementRuns: StatementRunService;
  readonly deny: (denial: Denial) => void;
  readonly config: { readonly sandbox: boolean };
}

export const sandboxNoun = noun({
  problems: SANDBOX_PROBLEMS,
  migrations: [{ name: 'sandbox/1-clocks', class: CreateSandbox }],
  // A node has no settings of the gateway's session, so a clock that was moved counts for every gateway. What the
  // function reads is on each node.
  placement: { everywhere: ['sandbox_program'], functions: [PROGRAM_NOW_ON_CITUS] },
  entities: [SandboxProgram],
  fits: async (database, { sandbox }) => {
    if (!sandbox) await refuseMovedClocks(database);
  },
  services: (of: NounBase & Needs) => ({ sandbox: of.config.sandbox ? sandboxOver(of) : null }),
  resolvers: [
    { of: SandboxResolver, make: of => new SandboxResolver(servedOf(of).postings, servedOf(of).clock) },
    { of: SandboxCardResolver, make: of => new SandboxCardResolver(servedOf(of).cards, servedOf(of).returns) },
    { of: SandboxTransferResolver, make: of => new SandboxTransferResolver(servedOf(of).transfers) },
  ],
  rest: () => [sandboxRest],
  isOfSandbox: true,
});

function sandboxOver(of: NounBase & Needs): Sandbox {
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
    transfers: new SandboxTransferService(draw, access, of.transfers),
  };
}
