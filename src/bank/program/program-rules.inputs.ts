import { Field, Int } from 'type-graphql';
import { Input } from '../../platform/input/input.js';
import {
  Between,
  Distinct,
  EachMatches,
  EachText,
  Matches,
  Size,
  Text,
  rule,
  type Rule,
} from '../../platform/input/rules.js';
import { Currency, Decimal } from '../../platform/scalars/scalars.js';
import { minorOf } from '../../shared/money.js';
import { OPERATOR_ROLES, type OperatorRole } from '../../shared/operator-roles.js';
import { MAX_TRANSFERS_A_DAY, type CustomersTo as CustomersToWord } from '../../shared/transfer-rules.js';
import { CustomersTo } from './program-transfers.entity.js';

/** The most clients that a list of a program names. */
export const MAX_CLIENTS = 100;
/** Access tokens may name such a client. */
export const MAX_CLIENT_ID = 255;
/** The most groups of an identity provider that a program gives roles. */
export const MAX_GROUPS = 100;
/** Entra ID allows so many characters, and no provider that is known allows more. */
const MAX_GROUP_NAME = 256;
/** The number of currencies for which a program may limit accounts. */
export const MAX_CURRENCIES = 20;
const AMOUNT = /^(0|[1-9]\d{0,12})(\.\d{1,4})?$/;
const AMOUNT_FORM = 'an amount of zero or more such as 10000.00';

/** The position of the first element whose currency came before, or whose amounts have too many digits. */
function badAmounts(value: unknown): number {
  if (!Array.isArray(value)) return -1;
  const seen = new Set<unknown>();
  return (value as Readonly<Record<string, unknown>>[]).findIndex(({ currency, ...amounts }) => {
    if (typeof currency !== 'string') return false;
    const isRepeated = seen.size === seen.add(currency).size;
    const isBad = (amount: unknown) => typeof amount === 'string' && minorOf(amount, currency) === null;
    return isRepeated || Object.values(amounts).some(isBad);
  });
}

/** Elements of a list that each have another `currency`, and amounts with its digits. */
function OneOfEachCurrency(): Rule {
  return rule({
    code: 'currency_digits',
    detail: 'Must be the only element of its currency, with amounts of no more decimal digits than the currency has.',
    holds: value => badAmounts(value) === -1,
    at: badAmounts,
  });
}

/** The position of the first element whose name came before. */
function repeatedName(value: unknown): number {
  if (!Array.isArray(value)) return -1;
  const seen = new Set<unknown>();
  return (value as Readonly<Record<string, unknown>>[]).findIndex(({ name }) => seen.size === seen.add(name).size);
}

/** Elements of a list that each have another `name`. */
export function OneOfEachName(): Rule {
  return rule({
    code: 'distinct',
    detail: 'Must be the only element of its name.',
    holds: value => repeatedName(value) === -1,
    at: repeatedName,
  });
}

@Input('A group of the identity provider, with what it may do at the console.')
export class OperatorGroupInput {
  @Text(1, MAX_GROUP_NAME)
  @Field(() => String, { description: 'The name of the group in the claim of roles, such as `Bank Operations`.' })
  name!: string;

  @Size(1, OPERATOR_ROLES.length)
  @EachMatches(new RegExp(`^(${OPERATOR_ROLES.join('|')})$`), `one of ${OPERATOR_ROLES.join(', ')}`)
  @Distinct()
  @Field(() => [String], { description: 'The roles of the group, such as `operator`; `pii` only adds to the others.' })
  roles!: OperatorRole[];
}

@Input('An amount of one currency.')
export class CurrencyThresholdInput {
  @Field(() => Currency, { description: 'The currency of the amount.' })
  currency!: string;

  @Matches(AMOUNT, AMOUNT_FORM)
  @Field(() => Decimal, { description: 'The amount in units of the currency; `0` means all.' })
  amount!: string;
}

@Input('The requests of a program that wait until another person approves them.')
export class ProgramApprovalsInput {
  @Field(() => Boolean, {
    nullable: true,
    description: 'True if agents may propose changes, each of which waits; otherwise they only read.',
  })
  agentProposals?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: 'True if closing an account waits.' })
  closingAccounts?: boolean | null;

  @OneOfEachCurrency()
  @Size(0, MAX_CURRENCIES)
  @Field(() => [CurrencyThresholdInput], {
    nullable: true,
    description: 'The amounts, by currency, above which a reversal waits.',
  })
  reversalsAbove?: CurrencyThresholdInput[] | null;

  @OneOfEachCurrency()
  @Size(0, MAX_CURRENCIES)
  @Field(() => [CurrencyThresholdInput], {
    nullable: true,
    description: 'The amounts, by currency, above which postings wait: each, and those of a request together.',
  })
  postingsAbove?: CurrencyThresholdInput[] | null;

  @Size(0, MAX_CLIENTS)
  @EachText(1, MAX_CLIENT_ID)
  @Distinct()
  @Field(() => [String], {
    nullable: true,
    description: 'The clients whose postings never wait, such as `card-network`.',
  })
  postingClients?: string[] | null;

  @OneOfEachCurrency()
  @Size(0, MAX_CURRENCIES)
  @Field(() => [CurrencyThresholdInput], {
    nullable: true,
    description: 'The amounts, by currency, above which a transfer waits.',
  })
  transfersAbove?: CurrencyThresholdInput[] | null;

  @Field(() => Boolean, { nullable: true, description: 'True if adding and removing owners waits.' })
  changingOwners?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: 'True if changes of webhook endpoints and their secrets wait.' })
  changingWebhookEndpoints?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'True if setting the limits and the time zone of an account waits.',
  })
  changingTransferLimits?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: 'True if erasing the personal data of a customer waits.' })
  erasingCustomers?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: 'True if runs that issue statements or tax forms wait.' })
  documents?: boolean | null;
}

@Input('The limits of accounts of one currency.')
export class ProgramLimitsInput {
  @Field(() => Currency, { description: 'The currency of the accounts.' })
  currency!: string;

  @Matches(AMOUNT, AMOUNT_FORM)
  @Field(() => Decimal, { nullable: true, description: 'The largest transfer from an account of the currency.' })
  perTransfer?: string | null;

  @Matches(AMOUNT, AMOUNT_FORM)
  @Field(() => Decimal, { nullable: true, description: 'The maximum amount that may leave an account in a day.' })
  perDay?: string | null;

  @Matches(AMOUNT, AMOUNT_FORM)
  @Field(() => Decimal, { nullable: true, description: 'The maximum amount that may leave an account in 30 days.' })
  per30Days?: string | null;

  @Between(0, MAX_TRANSFERS_A_DAY)
  @Field(() => Int, { nullable: true, description: 'The maximum number of transfers of a day.' })
  transfersPerDay?: number | null;

  @Matches(AMOUNT, AMOUNT_FORM)
  @Field(() => Decimal, { nullable: true, description: 'The maximum amount that cards may hold in a day.' })
  cardHoldsPerDay?: string | null;
}

@Input('The rules of a program for transfers.')
export class ProgramTransfersInput {
  @Field(() => CustomersTo, { nullable: true, description: 'The accounts that customers may pay to.' })
  customersTo?: CustomersToWord | null;

  @OneOfEachCurrency()
  @Size(0, MAX_CURRENCIES)
  @Field(() => [ProgramLimitsInput], {
    nullable: true,
    description: 'The limits, one for each currency that has some.',
  })
  limits?: ProgramLimitsInput[] | null;
}
