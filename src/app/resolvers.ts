import type { GraphQLSchema } from 'graphql';
import { AccountChangeResolver } from '../account/account-changes.resolver.js';
import { AccountChainResolver } from '../account/account-chain.resolver.js';
import { AccountResolver } from '../account/account.resolver.js';
import { OperationsResolver } from '../account/operations.resolver.js';
import { OwnershipResolver } from '../account/ownership.resolver.js';
import { ApprovalResolver } from '../approval/approval.resolver.js';
import {
  BeneficiaryNameResolver,
  BeneficiaryResolver,
  OrganizationResolver,
} from '../beneficiary/beneficiary.resolver.js';
import { CardHolderResolver } from '../card/card-holder.resolver.js';
import { CardResolver } from '../card/card.resolver.js';
import { EventResolver } from '../event/event.resolver.js';
import { RecordedEventResolver } from '../event/recorded-events.resolver.js';
import { CustomerResolver } from '../owner/customer.resolver.js';
import { HoldResolver } from '../hold/hold.resolver.js';
import { ImportResolver } from '../import/import.resolver.js';
import { OwnerResolver } from '../owner/owner.resolver.js';
import { ProgramResolver } from '../program/program.resolver.js';
import { SandboxCardResolver } from '../sandbox/sandbox-cards.resolver.js';
import { SandboxResolver } from '../sandbox/sandbox.resolver.js';
import { PersonalDataResolver, RevealMiddleware } from '../personal-data/personal-data.resolver.js';
import { SearchResolver } from '../search/search.resolver.js';
import { StatementRunResolver } from '../statement/run/statement-run.resolver.js';
import { StatementCorrectionResolver } from '../statement/statement-correction.resolver.js';
import { StatementResolver } from '../statement/statement.resolver.js';
import { BalanceResolver } from '../transaction/balance/balance.resolver.js';
import { PostedTransactionResolver } from '../transaction/posted-transactions.resolver.js';
import { TransactionResolver } from '../transaction/transaction.resolver.js';
import { AccountTransfersResolver, TransferResolver } from '../transfer/transfer.resolver.js';
import { ViewerResolver } from '../viewer/viewer.resolver.js';
import { WebhookDeliveryResolver, WebhookEndpointDeliveriesResolver } from '../webhook/webhook-delivery.resolver.js';
import { WebhookResolver } from '../webhook/webhook.resolver.js';
import { asSubgraph } from '../platform/graphql/federation.js';
import { NodeResolver } from '../platform/graphql/node.resolver.js';
import type { Container } from './container.js';
import { nodesOf } from './nodes.js';
import { ACCOUNT_LINKS, buildGraphqlSchema } from './schema.js';

/** The GraphQL schema over a bank's data. */
export function schemaOf(
  container: Container,
  { federation, introspection }: { readonly federation: boolean; readonly introspection: boolean },
): GraphQLSchema {
  const schema = buildGraphqlSchema(resolversOf(container), container.sandbox !== null);
  return federation ? asSubgraph(schema, nodesOf(container), { introspection }) : schema;
}

function resolversOf(of: Container): (resolver: unknown) => object {
  const instances = new Map<unknown, object>([
    [NodeResolver, new NodeResolver(nodesOf(of))],
    ...ACCOUNT_LINKS.map(Link => [Link, new Link(of.accounts)] as const),
    [AccountResolver, new AccountResolver(of.accounts)],
    [AccountChainResolver, new AccountChainResolver(of.accountChains)],
    [OperationsResolver, new OperationsResolver(of.opening, of.operations)],
    [OwnershipResolver, new OwnershipResolver(of.ownership)],
    [CustomerResolver, new CustomerResolver(of.customers, of.owners)],
    [OwnerResolver, new OwnerResolver(of.owners)],
    [BeneficiaryResolver, new BeneficiaryResolver(of.beneficiaries)],
    [BeneficiaryNameResolver, new BeneficiaryNameResolver()],
    [OrganizationResolver, new OrganizationResolver()],
    [PersonalDataResolver, new PersonalDataResolver(of.personalData)],
    [RevealMiddleware, new RevealMiddleware(of.personalData)],
    [CardResolver, new CardResolver(of.cards)],
    [CardHolderResolver, new CardHolderResolver(of.customers)],
    [EventResolver, new EventResolver(of.events)],
    [PostedTransactionResolver, new PostedTransactionResolver(of.postedTransactions)],
    [AccountChangeResolver, new AccountChangeResolver(of.accountChanges)],
    [RecordedEventResolver, new RecordedEventResolver(of.recordedEvents)],
    [BalanceResolver, new BalanceResolver(of.balances)],
    [TransactionResolver, new TransactionResolver(of.history, of.programHistory, of.posting, of.reversals)],
    [ApprovalResolver, new ApprovalResolver(of.approvals)],
    [HoldResolver, new HoldResolver(of.holds)],
    [AccountTransfersResolver, new AccountTransfersResolver(of.transfers)],
    [TransferResolver, new TransferResolver(of.transfers, of.accounts, of.history)],
    [ImportResolver, new ImportResolver(of.imports)],
    [ViewerResolver, new ViewerResolver(of.viewers)],
    [SearchResolver, new SearchResolver(of.search)],
    [ProgramResolver, new ProgramResolver(of.programs)],
    [StatementResolver, new StatementResolver(of.statements)],
    [StatementCorrectionResolver, new StatementCorrectionResolver(of.statements)],
    [StatementRunResolver, new StatementRunResolver(of.statementRuns, of.reruns)],
    [WebhookResolver, new WebhookResolver(of.webhooks)],
    [WebhookEndpointDeliveriesResolver, new WebhookEndpointDeliveriesResolver(of.webhookDeliveries)],
    [WebhookDeliveryResolver, new WebhookDeliveryResolver(of.webhookDeliveries)],
  ]);
  if (of.sandbox) {
    const { postings, clock, cards, returns } = of.sandbox;
    instances.set(SandboxResolver, new SandboxResolver(postings, clock));
    instances.set(SandboxCardResolver, new SandboxCardResolver(cards, returns));
  }
  return resolver => {
    const instance = instances.get(resolver);
    if (!instance) throw new Error('a resolver is in the schema and not in the gateway');
    return instance;
  };
}
