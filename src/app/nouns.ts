import { accountNoun, accountAdministration } from '../bank/account/account.noun.js';
import { approvalBook, approvalNoun } from '../bank/approval/approval.noun.js';
import { beneficiaryNoun } from '../bank/beneficiary/beneficiary.noun.js';
import { cardNoun } from '../bank/card/card.noun.js';
import { sessionNoun } from '../bank/session/session.noun.js';
import { eventNoun } from '../bank/event/event.noun.js';
import { holdNoun } from '../bank/hold/hold.noun.js';
import { limitNoun } from '../bank/limit/limit.noun.js';
import { importNoun } from '../bank/import/import.noun.js';
import { noteNoun } from '../bank/note/note.noun.js';
import { ownerNoun } from '../bank/owner/owner.noun.js';
import { personalDataNoun } from '../bank/personal-data/personal-data.noun.js';
import { programNoun } from '../bank/program/program.noun.js';
import { searchNoun, searchRecords } from '../bank/search/search.noun.js';
import { documentPrinting, statementNoun } from '../bank/statement/statement.noun.js';
import { tokenNoun } from '../bank/token/token.noun.js';
import { transactionNoun } from '../bank/transaction/transaction.noun.js';
import { transferNoun } from '../bank/transfer/transfer.noun.js';
import { viewerNoun } from '../bank/viewer/viewer.noun.js';
import { agentsNoun } from '../../packages/agents/src/agents.noun.js';
import { dataSubjectNoun } from '../../packages/data-subject/src/data-subject.noun.js';
import { overviewNoun } from '../../packages/overview/src/overview.noun.js';
import { requestNoun } from '../../packages/requests/src/request.noun.js';
import { sandboxNoun } from '../../packages/sandbox/src/sandbox.noun.js';
import { taxNoun } from '../../packages/us-tax-forms/src/tax.noun.js';
import { webhookNoun } from '../../packages/webhooks/src/webhook.noun.js';
import type { ImportKind } from '../platform/import/batch.js';
import type { NounBase } from '../platform/noun/noun-base.js';
import { Nouns, type AnyNoun, type ServicesOf } from '../platform/noun/noun.js';
import { addedNouns } from './added-nouns.js';
import { commands } from './commands.js';
import type { BankConfig, DatabaseConfig } from './config.js';

/** The parts that the services of nouns are made of. */
export interface Bank extends NounBase {
  readonly config: BankConfig;
}

/**
 * The nouns of the bank, in the order in which their services are made. This is the one place that names them:
 * entities, events, services, resolvers, routes, OpenAPI, ids of nodes, imports and jobs come from
 * `<noun>/<noun>.noun.ts`.
 */
export const BANK_NOUNS = Nouns.over<Bank>()
  .and(approvalBook)
  .and(accountNoun)
  .and(commands)
  .and(ownerNoun)
  .and(beneficiaryNoun)
  .and(cardNoun)
  .and(eventNoun)
  .and(accountAdministration)
  .and(programNoun)
  .and(documentPrinting)
  .and(transactionNoun)
  .and(limitNoun)
  .and(holdNoun)
  .and(searchRecords)
  .and(transferNoun)
  .and(statementNoun)
  .and(approvalNoun)
  .and(importNoun)
  .and(viewerNoun)
  .and(searchNoun)
  .and(personalDataNoun)
  .and(noteNoun)
  .and(sessionNoun)
  .and(tokenNoun);

/** The nouns of packages that have tables, by the folders in `packages`. */
export const TABLES_OF_PACKAGES: Readonly<Record<string, AnyNoun>> = {
  'us-tax-forms': taxNoun,
  webhooks: webhookNoun,
  requests: requestNoun,
  overview: overviewNoun,
  sandbox: sandboxNoun,
};

/** The bank with the packages that come with it. */
export const NOUNS = BANK_NOUNS.and(taxNoun)
  .and(webhookNoun)
  .and(requestNoun)
  .and(overviewNoun)
  .and(dataSubjectNoun)
  .and(sandboxNoun)
  .and(agentsNoun);

/** The services that all nouns give, and what they are made of. */
export type Services = ServicesOf<typeof NOUNS>;

/**
 * Returns what a gateway serves: the bank with its packages, and what the setting `NOUNS` adds. Throws `BadSettings`.
 */
export async function nounsOf(config: Pick<DatabaseConfig, 'nounModules'>): Promise<Nouns<Services>> {
  return NOUNS.with(await addedNouns(config));
}

/** The rules of the records with this name. Throws where no noun has such records. */
export async function importKindOf(
  { nouns, ...services }: Services & { readonly nouns: Nouns<Services> },
  name: string,
  overTheApi: boolean,
): Promise<ImportKind> {
  const load = nouns.all.map(({ imports }) => imports?.[name]).find(found => found !== undefined);
  if (!load) throw new Error(`no noun imports ${name}`);
  return load(services as never, overTheApi);
}
