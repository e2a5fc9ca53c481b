import { Field, Float, ID, Int } from 'type-graphql';
import { EMAIL } from '../person/person.inputs.js';
import { Input } from '../platform/input/input.js';
import { Between, Distinct, EachText, Fits, Matches, Size, Text, Together, rule } from '../platform/input/rules.js';
import { Currency } from '../platform/scalars/scalars.js';
import { BANK_ID, BANK_ID_FORM } from '../shared/ids.js';
import { minorOf } from '../shared/money.js';
import { MAX_TRANSFERS_A_DAY, type CustomersTo as CustomersToWord } from '../shared/transfer-rules.js';
import {
  StatementsWithoutActivity,
  type StatementsWithoutActivity as StatementsWithoutActivityWord,
} from './program.entity.js';
import { CustomersTo } from './program-transfers.entity.js';
import { MAX_PATH_CHARACTERS, MAX_PNG_BYTES, MAX_PNG_SIDE, isPathData, isPng, isViewBox } from './program.logo.js';

const MAX_CHARACTERS = 100;
const MAX_LINES = 6;
/** As many as box 16 of Form 1099-INT takes. */
const MAX_STATE_TAX_ID = 20;
const MAX_CLIENTS = 100;
/** Of how many currencies a program may limit accounts. */
export const MAX_CURRENCIES = 20;
const AMOUNT = /^(0|[1-9]\d{0,12})(\.\d{1,4})?$/;
const AMOUNT_FORM = 'an amount of zero or more such as 10000.00';
/** Access tokens may name such a client. */
const MAX_CLIENT_ID = 255;
/**
 * An employer identification number. None begins with 00. The other prefixes are not checked: the IRS adds to its list
 * of valid ones, and a payer with a new one would be refused.
 */
const EIN = /^(?!00)\d{2}-\d{7}$/;

const ONE_OF_CURRENCY =
  'Must be the only element of its currency, with amounts of no more decimal digits than the currency has.';

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

@Input('What stands at the head of the statements of a program.')
export class LetterheadRecord {
  @Text(1, MAX_CHARACTERS)
  @Field(() => String)
  name!: string;

  @Size(0, MAX_LINES)
  @EachText(1, MAX_CHARACTERS)
  @Field(() => [String], { nullable: true })
  addressLines?: string[] | null;

  @Text(0, MAX_CHARACTERS)
  @Field(() => String, { nullable: true })
  telephone?: string | null;
}

@Input('Who pays the interest of the accounts of a program.')
export class PayerRecord extends LetterheadRecord {
  @Matches(EIN, 'an employer identification number such as 12-3456789; none begins with 00')
  @Field(() => String, { nullable: true })
  taxId?: string | null;

  @Matches(/^[A-Z]{2}$/, 'the two letters of a state such as OR')
  @Field(() => String, { nullable: true })
  state?: string | null;

  @Text(1, MAX_STATE_TAX_ID)
  @Together('state')
  @Field(() => String, { nullable: true })
  stateTaxId?: string | null;
}

@Input('Whom customers tell about errors.')
export class ErrorResolutionRecord {
  @Text(1, MAX_CHARACTERS)
  @Field(() => String)
  telephone!: string;

  @Matches(EMAIL, 'an e-mail address')
  @Text(0, MAX_CHARACTERS)
  @Field(() => String, { nullable: true })
  email?: string | null;

  @Size(1, MAX_LINES)
  @EachText(1, MAX_CHARACTERS)
  @Field(() => [String])
  addressLines!: string[];
}

@Input('A PNG, or outlines in one colour.')
export class LogoRecord {
  @Fits(
    'picture',
    isPng,
    `Must be the base64 of a PNG of at most ${MAX_PNG_BYTES} bytes and ${MAX_PNG_SIDE} by ${MAX_PNG_SIDE} pixels, undamaged, with at most 8 bits a sample, neither interlaced nor animated.`,
  )
  @Field(() => String, { nullable: true })
  png?: string | null;

  @Fits(
    'picture',
    isPathData,
    `Must be SVG path data of at most ${MAX_PATH_CHARACTERS} characters: commands and numbers, with the flags of arcs separated.`,
  )
  @Together('viewBox')
  @Field(() => String, { nullable: true })
  svgPath?: string | null;

  @rule({
    code: 'picture',
    detail: 'Must be four numbers: left, top, width and height, of which the last two are greater than 0.',
    holds: value => value === null || isViewBox(value),
  })
  @Together('svgPath')
  @Field(() => [Float], { nullable: true })
  viewBox?: number[] | null;

  @Matches(/^#[0-9a-fA-F]{6}$/, 'a colour such as #1f4e5f')
  @Together('svgPath')
  @Field(() => String, { nullable: true })
  color?: string | null;
}

/** A PNG, or outlines. */
function isOnePicture(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  const { png = null, svgPath = null } = value as LogoRecord;
  return (png === null) !== (svgPath === null);
}

@Input('An amount of one currency.')
export class CurrencyThresholdRecord {
  @Field(() => Currency)
  currency!: string;

  @Matches(AMOUNT, AMOUNT_FORM)
  @Field(() => String)
  amount!: string;
}

@Input('Which requests of a program wait until another person approves them.')
export class ApprovalsRecord {
  @Field(() => Boolean, { nullable: true })
  closingAccounts?: boolean | null;

  @Matches(AMOUNT, AMOUNT_FORM)
  @Field(() => String, { nullable: true })
  reversalsAbove?: string | null;

  @Size(0, MAX_CLIENTS)
  @EachText(1, MAX_CLIENT_ID)
  @Distinct()
  @Field(() => [String], { nullable: true })
  postingClients?: string[] | null;

  @rule({
    code: 'currency_digits',
    detail: ONE_OF_CURRENCY,
    holds: value => badAmounts(value) === -1,
    at: badAmounts,
  })
  @Size(0, MAX_CURRENCIES)
  @Field(() => [CurrencyThresholdRecord], { nullable: true })
  transfersAbove?: CurrencyThresholdRecord[] | null;

  @Field(() => Boolean, { nullable: true })
  changingOwners?: boolean | null;

  @Field(() => Boolean, { nullable: true })
  changingWebhookEndpoints?: boolean | null;

  @Field(() => Boolean, { nullable: true })
  changingTransferLimits?: boolean | null;
}

@Input('The limits of accounts of one currency.')
export class LimitsRecord {
  @Field(() => Currency)
  currency!: string;

  @Matches(AMOUNT, AMOUNT_FORM)
  @Field(() => String, { nullable: true })
  perTransfer?: string | null;

  @Matches(AMOUNT, AMOUNT_FORM)
  @Field(() => String, { nullable: true })
  perDay?: string | null;

  @Matches(AMOUNT, AMOUNT_FORM)
  @Field(() => String, { nullable: true })
  per30Days?: string | null;

  @Between(0, MAX_TRANSFERS_A_DAY)
  @Field(() => Int, { nullable: true })
  transfersPerDay?: number | null;

  @Matches(AMOUNT, AMOUNT_FORM)
  @Field(() => String, { nullable: true })
  cardHoldsPerDay?: string | null;
}

@Input('What a program allows of transfers.')
export class TransferRulesRecord {
  @Field(() => CustomersTo, { nullable: true })
  customersTo?: CustomersToWord | null;

  @rule({
    code: 'currency_digits',
    detail: ONE_OF_CURRENCY,
    holds: value => badAmounts(value) === -1,
    at: badAmounts,
  })
  @Size(0, MAX_CURRENCIES)
  @Field(() => [LimitsRecord], { nullable: true })
  limits?: LimitsRecord[] | null;
}

@Input('A program in the records of the operator.')
export class ProgramRecord {
  @Matches(BANK_ID, BANK_ID_FORM)
  @Field(() => ID)
  programId!: string;

  @Text(1, MAX_CHARACTERS)
  @Field(() => String)
  name!: string;

  @Field(() => LetterheadRecord, { nullable: true })
  letterhead?: LetterheadRecord | null;

  @Field(() => PayerRecord, { nullable: true })
  payer?: PayerRecord | null;

  @Field(() => ErrorResolutionRecord, { nullable: true })
  errorResolution?: ErrorResolutionRecord | null;

  @rule({ code: 'picture', detail: 'Must have either png, or svgPath with viewBox.', holds: isOnePicture })
  @Field(() => LogoRecord, { nullable: true })
  logo?: LogoRecord | null;

  @Field(() => ApprovalsRecord, { nullable: true })
  approvals?: ApprovalsRecord | null;

  @Field(() => TransferRulesRecord, { nullable: true })
  transfers?: TransferRulesRecord | null;

  @Size(0, MAX_CLIENTS)
  @EachText(1, MAX_CLIENT_ID)
  @Distinct()
  @Field(() => [String], { nullable: true })
  clients?: string[] | null;

  @Field(() => Boolean, { nullable: true })
  checkFunds?: boolean | null;

  @Field(() => StatementsWithoutActivity, { nullable: true })
  statementsWithoutActivity?: StatementsWithoutActivityWord | null;
}
