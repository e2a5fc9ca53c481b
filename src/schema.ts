import type { GraphQLSchema } from 'graphql';
import { buildSchemaSync } from 'type-graphql';
import { AccountResolver } from './account/account.resolver.js';
import { OwnershipResolver } from './account/ownership.resolver.js';
import { BeneficiaryResolver } from './beneficiary/beneficiary.resolver.js';
import { CardResolver } from './card/card.resolver.js';
import { EventResolver } from './event/event.resolver.js';
import { OwnerResolver } from './owner/owner.resolver.js';
import { StatementResolver } from './statement/statement.resolver.js';
import { TransactionResolver } from './transaction/transaction.resolver.js';
import { refuseIfBad, brokenRules } from './platform/input/read-input.js';

/** Everything that GraphQL serves. */
const RESOLVERS = [
  AccountResolver,
  OwnershipResolver,
  OwnerResolver,
  BeneficiaryResolver,
  CardResolver,
  TransactionResolver,
  StatementResolver,
  EventResolver,
] as const;

/** The GraphQL schema. `instanceOf` gives the instance of a resolver class; printing the schema needs none. */
export function buildGraphqlSchema(instanceOf: (resolver: unknown) => object = () => ({})): GraphQLSchema {
  return buildSchemaSync({
    resolvers: [...RESOLVERS],
    container: { get: instanceOf },
    // Variables were held against the rules before anything ran. This is for literals in the document.
    validateFn: argument => refuseIfBad({ misshapen: [], broken: brokenRules(argument, '') }),
  });
}
