import { Field, ObjectType } from 'type-graphql';
import { Currency, Decimal } from '../../platform/scalars/scalars.js';
import type { ApprovalRules } from '../../shared/approval.js';
import type { CurrencyAmount } from '../../shared/money.js';
import type { GroupRoles, OperatorRole } from '../../shared/operator-roles.js';

@ObjectType({ description: 'An amount above which something waits.', simpleResolvers: true })
export class CurrencyThreshold implements CurrencyAmount {
  @Field(() => Currency, { description: 'The currency of the amount.' })
  currency!: string;

  @Field(() => Decimal, { description: 'The amount in units of the currency; `0` means all.' })
  amount!: string;
}

@ObjectType({
  description: 'The requests of a program that wait until another person approves them.',
  simpleResolvers: true,
})
export class ProgramApprovals implements ApprovalRules {
  @Field(() => Boolean, {
    description: 'True if agents may propose changes, each of which waits; otherwise they only read.',
  })
  agentProposals!: boolean;

  @Field(() => Boolean, { description: 'True if closing an account waits.' })
  closingAccounts!: boolean;

  @Field(() => [CurrencyThreshold], { description: 'The amounts, by currency, above which a reversal waits.' })
  reversalsAbove!: readonly CurrencyThreshold[];

  @Field(() => [CurrencyThreshold], {
    description: 'The amounts, by currency, above which postings wait: each, and those of a request together.',
  })
  postingsAbove!: readonly CurrencyThreshold[];

  @Field(() => [String], { description: 'The clients whose postings never wait, such as `card-network`.' })
  postingClients!: readonly string[];

  @Field(() => [CurrencyThreshold], { description: 'The amounts, by currency, above which a transfer waits.' })
  transfersAbove!: readonly CurrencyThreshold[];

  @Field(() => Boolean, { description: 'True if adding and removing owners waits.' })
  changingOwners!: boolean;

  @Field(() => Boolean, {
    description: 'True if changes of webhook endpoints and their secrets wait.',
  })
  changingWebhookEndpoints!: boolean;

  @Field(() => Boolean, { description: 'True if setting the limits and the time zone of an account waits.' })
  changingTransferLimits!: boolean;

  @Field(() => Boolean, { description: 'True if erasing the personal data of a customer waits.' })
  erasingCustomers!: boolean;

  @Field(() => Boolean, { description: 'True if runs that issue statements or tax forms wait.' })
  documents!: boolean;
}

@ObjectType({
  description: 'A group of the identity provider, with what it may do at the console.',
  simpleResolvers: true,
})
export class OperatorGroup implements GroupRoles {
  @Field(() => String, { description: 'The name of the group in the claim of roles, such as `Bank Operations`.' })
  name!: string;

  @Field(() => [String], { description: 'The roles of the group, such as `operator`.' })
  roles!: readonly OperatorRole[];
}
