import { Field, ObjectType } from 'type-graphql';
import { Currency, Decimal } from '../../platform/scalars/scalars.js';
import type { ApprovalRules } from '../../shared/approval.js';
import type { CurrencyAmount } from '../../shared/money.js';
import type { GroupRoles, OperatorRole } from '../../shared/operator-roles.js';

@ObjectType({ description: 'An amount above which something waits.', simpleResolvers: true })
export class CurrencyThreshold implements CurrencyAmount {
  @Field(() => Currency, { description: 'Of the amount.' })
  currency!: string;

  @Field(() => Decimal, { description: 'In units; `0` means all.' })
  amount!: string;
}

@ObjectType({
  description: 'Which requests of a program wait until another person approves them.',
  simpleResolvers: true,
})
export class ProgramApprovals implements ApprovalRules {
  @Field(() => Boolean, { description: 'Whether closing an account waits.' })
  closingAccounts!: boolean;

  @Field(() => [CurrencyThreshold], { description: 'Larger reversals wait, by currency.' })
  reversalsAbove!: readonly CurrencyThreshold[];

  @Field(() => [CurrencyThreshold], {
    description: 'Larger postings wait, each and those of a request together, by currency.',
  })
  postingsAbove!: readonly CurrencyThreshold[];

  @Field(() => [String], { description: 'Clients whose postings never wait, such as `card-network`.' })
  postingClients!: readonly string[];

  @Field(() => [CurrencyThreshold], { description: 'Larger transfers wait, by currency.' })
  transfersAbove!: readonly CurrencyThreshold[];

  @Field(() => Boolean, { description: 'Whether adding and removing owners waits.' })
  changingOwners!: boolean;

  @Field(() => Boolean, {
    description: 'Whether changes of endpoints and their secrets wait.',
  })
  changingWebhookEndpoints!: boolean;

  @Field(() => Boolean, { description: 'Whether setting limits of accounts waits, and their time zone.' })
  changingTransferLimits!: boolean;

  @Field(() => Boolean, { description: 'Whether erasing the personal data of customers waits.' })
  erasingCustomers!: boolean;
}

@ObjectType({ description: 'What a group of the identity provider may do at the console.', simpleResolvers: true })
export class OperatorGroup implements GroupRoles {
  @Field(() => String, { description: 'As the claim of roles names it, such as `Bank Operations`.' })
  name!: string;

  @Field(() => [String], { description: 'Such as `operator`.' })
  roles!: readonly OperatorRole[];
}
