import type { GraphQLSchema } from 'graphql';
import { buildSchemaSync } from 'type-graphql';
import { AccountChangeResolver } from '../account/account-changes.resolver.js';
import { accountLinkOf } from '../account/account-link.resolver.js';
import { AccountChainResolver } from '../account/account-chain.resolver.js';
import { AccountResolver } from '../account/account.resolver.js';
import { OwnerResult } from '../account/ownership.entity.js';
import { OperationsResolver } from '../account/operations.resolver.js';
import { OwnershipResolver } from '../account/ownership.resolver.js';
import { ApprovalResolver } from '../approval/approval.resolver.js';
import { Beneficiary } from '../beneficiary/beneficiary.entity.js';
import {
  BeneficiaryNameResolver,
  BeneficiaryResolver,
  OrganizationResolver,
} from '../beneficiary/beneficiary.resolver.js';
import { CardHolderResolver } from '../card/card-holder.resolver.js';
import { Card } from '../card/card.entity.js';
import { CardResolver } from '../card/card.resolver.js';
import { EventResolver } from '../event/event.resolver.js';
import { RecordedEventResolver } from '../event/recorded-events.resolver.js';
import { CustomerResolver } from '../owner/customer.resolver.js';
import { Hold } from '../hold/hold.entity.js';
import { HoldResolver } from '../hold/hold.resolver.js';
import { ImportResolver } from '../import/import.resolver.js';
import { OwnerResolver } from '../owner/owner.resolver.js';
import { SandboxCardResolver } from '../sandbox/sandbox-cards.resolver.js';
import { SandboxResolver } from '../sandbox/sandbox.resolver.js';
import { PersonalDataResolver } from '../personal-data/personal-data.resolver.js';
import { SearchResolver } from '../search/search.resolver.js';
import { StatementRunResolver } from '../statement/run/statement-run.resolver.js';
import { StatementCorrectionResolver } from '../statement/statement-correction.resolver.js';
import { ProgramResolver } from '../program/program.resolver.js';
import { Statement } from '../statement/statement.entity.js';
import { StatementResolver } from '../statement/statement.resolver.js';
import { BalanceResolver } from '../transaction/balance/balance.resolver.js';
import { PostedTransactionResolver } from '../transaction/posted-transactions.resolver.js';
import { Transaction } from '../transaction/transaction.entity.js';
import { TransactionResolver } from '../transaction/transaction.resolver.js';
import { ViewerResolver } from '../viewer/viewer.resolver.js';
import { AccountTransfersResolver, TransferResolver } from '../transfer/transfer.resolver.js';
import { WebhookDeliveryResolver, WebhookEndpointDeliveriesResolver } from '../webhook/webhook-delivery.resolver.js';
import { WebhookResolver } from '../webhook/webhook.resolver.js';
import { bindNodeIds } from '../platform/graphql/node.js';
import { NodeResolver } from '../platform/graphql/node.resolver.js';
import { feedPubSub } from '../platform/graphql/subscriptions/live.js';
import { validateArgument } from '../platform/graphql/validate-arguments.js';

/** The field `account` of what belongs to an account. */
export const ACCOUNT_LINKS = [Beneficiary, Card, Hold, OwnerResult, Statement, Transaction].map(accountLinkOf);

/** Everything that GraphQL serves. */
const RESOLVERS = [
  NodeResolver,
  AccountResolver,
  AccountChainResolver,
  OperationsResolver,
  OwnershipResolver,
  CustomerResolver,
  OwnerResolver,
  HoldResolver,
  AccountTransfersResolver,
  TransferResolver,
  BeneficiaryResolver,
  BeneficiaryNameResolver,
  OrganizationResolver,
  PersonalDataResolver,
  CardResolver,
  CardHolderResolver,
  TransactionResolver,
  BalanceResolver,
  StatementResolver,
  StatementCorrectionResolver,
  StatementRunResolver,
  ProgramResolver,
  ImportResolver,
  ViewerResolver,
  SearchResolver,
  ApprovalResolver,
  EventResolver,
  PostedTransactionResolver,
  AccountChangeResolver,
  RecordedEventResolver,
  WebhookResolver,
  WebhookEndpointDeliveriesResolver,
  WebhookDeliveryResolver,
  ...ACCOUNT_LINKS,
] as const;

/** What holds everywhere, so that fields need not say it again. Type-GraphQL has no place for it. */
const ABOUT: Readonly<Record<string, string>> = {
  schema: `Accounts of a bank with their owners, beneficiaries, transactions, statements and cards.

Each request has an access token (\`Authorization: Bearer\`), which belongs to one program and sees only that program's accounts, or only
those of one customer. Data that a caller may not see is treated like data that does not exist: it is null, or refused as not found.

A refusal is an error with a stable \`extensions.code\`; \`extensions.errors\` lists every wrong value with \`pointer\` (from the arguments
of the field, such as \`/input/sharePercentage\`), \`code\` and \`detail\`. A field that is refused, for a missing scope or a broken rule,
is null and has an error, and the other fields are answered; a malformed request is refused before anything runs. Every field can be refused
with \`unauthenticated\`, \`insufficient_scope\`, \`program_wide_only\` (the token belongs to one customer, and the field needs a token for
the whole program), \`invalid_input\` (malformed), \`rule_broken\` (well-formed, but not allowed), \`rate_limited\` and \`unavailable\` (try
again later) and \`internal_error\`. An operation that requests too much is refused before anything runs: \`query_too_deep\`,
\`query_too_costly\`.`,
  Query: 'The data that can be read. Queries change nothing.',
  Mutation: `The changes that can be made. Each field is executed completely or not at all, and records an event.

With an \`X-Idempotency-Key\`, such as \`4be0c1a2\`, a retry gets the first response and changes nothing. If an operation has several
fields, each field has its own key, made of that key and the position of the field among the mutation fields of the document. Aliases,
\`@skip\` and \`@include\` do not change the position. Another request with a used key is refused with \`idempotency_key_reused\`, and a
request that arrives while the first one is still running with \`idempotency_in_progress\`. A refusal with \`rule_broken\` does not use the
key: correct the input and send the same key.

Where the program wants two pairs of eyes, a change of owners, of webhook endpoints, and other fields that say so wait until another person
approves them: the error has the code \`approval_required\` and \`extensions.approvalId\`. Send the operation again with the same key to get
the result then, or \`approval_rejected\` or \`approval_expired\`. Without a key it is refused with \`idempotency_key_required\`.

A field that is refused is null and has an error; the other fields are executed.

Every field that names an account can be refused with \`account_not_found\`, and every input with \`invalid_input\` or \`rule_broken\`.`,
  Subscription: `What happens, as it happens. Each item has a \`cursor\`: a client that subscribes again with it as \`after\` gets what it has
missed and then what comes, without a gap and nothing twice. Without \`after\` a subscription begins now. An operation has one field.

The gateway ends a subscription with an error whose \`extensions.code\` says why and whose \`extensions.cursor\` says where to go on:
\`unauthenticated\` at the end of the access token, \`account_not_found\` when the caller may no longer see the account,
\`rate_limited\`, \`subscriber_too_slow\`, and \`unavailable\` when the process stops. One that cannot begin is refused with
\`too_many_subscriptions\` or like a query.`,
};

/** What GraphQL serves besides where the sandbox is on. */
const SANDBOX_RESOLVERS = [SandboxResolver, SandboxCardResolver] as const;

/**
 * The GraphQL schema, as production serves it or with the sandbox. `instanceOf` gives the instance of a resolver class;
 * printing the schema needs none.
 */
export function buildGraphqlSchema(
  instanceOf: (resolver: unknown) => object = () => ({}),
  hasSandbox = false,
): GraphQLSchema {
  const schema = buildSchemaSync({
    resolvers: [...RESOLVERS, ...(hasSandbox ? SANDBOX_RESOLVERS : [])],
    container: { get: instanceOf },
    pubSub: feedPubSub(instanceOf),
    validateFn: validateArgument,
    // Apollo Server checks the schema when it starts.
    skipCheck: true,
  });
  bindNodeIds(schema);
  schema.description = ABOUT.schema;
  for (const type of [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]) {
    if (type) type.description = ABOUT[type.name];
  }
  return schema;
}
