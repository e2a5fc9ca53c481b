import { Field, Float, ID, Int } from 'type-graphql';
import { BANK_ID, BANK_ID_FORM, Between, DateTimeISO, Decimal, Input, Matches, Text } from 'tillgate/noun';
import { AchReturnCode } from './sandbox.entity.js';
import { LAST_YEAR, MAX_MOVE_DAYS } from './sandbox.errors.js';

const MAX_SEED = 2 ** 31 - 1;

const DESCRIPTION = 'The description for people, up to 500 characters; made from the seed when absent.';
const AMOUNT =
  "The amount, such as `125.00`, with no more decimal digits than the account's currency has; made from the seed when absent.";
const SEED = `A number from 0 to ${MAX_SEED} from which the id and all that is absent is made: the same seed gives the same. An account takes each seed once for each kind of simulation. When absent, it is made from the name of the program and the number of its simulations so far.`;

const MONTH = /^20\d\d-(0[1-9]|1[0-2])$/;
/** At least one part, and at least one behind a T. */
export const DURATION =
  /^P(?=[\dT])(?:(\d{1,4})Y)?(?:(\d{1,4})M)?(?:(\d{1,4})W)?(?:(\d{1,4})D)?(?:T(?=\d)(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})S)?)?$/;
const DURATION_FORM = 'a duration of whole numbers, such as P1M, P40D or PT36H';

@Input('The fields that every simulation of a payment has.')
export class SimulatedPayment {
  @Matches(BANK_ID, BANK_ID_FORM)
  @Field(() => ID, { description: "The bank's own id of the account, such as `demo-1001`." })
  accountId!: string;

  @Text(0, 500)
  @Field(() => String, { nullable: true, description: DESCRIPTION })
  description?: string | null;

  @Between(0, MAX_SEED)
  @Field(() => Int, { nullable: true, description: SEED })
  seed?: number | null;
}

@Input('A payment to simulate.')
export class SimulatedPaymentInput extends SimulatedPayment {
  @Field(() => Decimal, { nullable: true, description: AMOUNT })
  amount?: string | null;
}

/** `SimulatedPaymentInput` over REST, where amounts are JSON numbers. */
@Input('A payment to simulate.')
export class SimulatedPaymentRecord extends SimulatedPayment {
  @Field(() => Float, { nullable: true, description: AMOUNT })
  amount?: number | null;
}

const FROM_ACCOUNT = 'The account of the program that the money comes from, such as `demo-1003`.';

@Input('A transfer to simulate that comes in. A program takes each seed once.')
export class SimulatedTransferInput extends SimulatedPaymentInput {
  @Matches(BANK_ID, BANK_ID_FORM)
  @Field(() => ID, { description: FROM_ACCOUNT })
  fromAccountId!: string;
}

/** `SimulatedTransferInput` over REST, where amounts are JSON numbers. */
@Input('A transfer to simulate that comes in. A program takes each seed once.')
export class SimulatedTransferRecord extends SimulatedPaymentRecord {
  @Matches(BANK_ID, BANK_ID_FORM)
  @Field(() => ID, { description: FROM_ACCOUNT })
  fromAccountId!: string;
}

@Input('A transfer to return that came in.')
export class SimulatedTransferReturnInput {
  @Matches(BANK_ID, BANK_ID_FORM)
  @Field(() => ID, { description: 'The account that the money came to, such as `demo-1001`.' })
  accountId!: string;

  @Matches(BANK_ID, BANK_ID_FORM)
  @Field(() => ID, { description: 'The id of the transfer, such as `incoming-transfer~3f9a1c22b04d`.' })
  transferId!: string;
}

const HOLD_ID = 'The id of the hold, such as `card-authorization~3f9a1c22b04d`.';
const EXPIRES =
  'The time at which the authorisation ends, such as `2026-12-31T18:05:00Z`; seven days after it when absent.';
const CARD_ID = 'The id of the card, such as `card-17`; the oldest active card of the account when absent.';

@Input('A purchase by card to authorise.')
export class SimulatedAuthorizationInput extends SimulatedPaymentInput {
  @Matches(BANK_ID, BANK_ID_FORM)
  @Field(() => ID, { nullable: true, description: CARD_ID })
  cardId?: string | null;

  @Field(() => DateTimeISO, { nullable: true, description: EXPIRES })
  expiresAt?: string | null;
}

/** `SimulatedAuthorizationInput` over REST, where amounts are JSON numbers. */
@Input('A purchase by card to authorise.')
export class SimulatedAuthorizationRecord extends SimulatedPaymentRecord {
  @Matches(BANK_ID, BANK_ID_FORM)
  @Field(() => ID, { nullable: true, description: CARD_ID })
  cardId?: string | null;

  @Field(() => DateTimeISO, { nullable: true, description: EXPIRES })
  expiresAt?: string | null;
}

@Input('The hold of a purchase by card.')
export class SimulatedHoldInput {
  @Matches(BANK_ID, BANK_ID_FORM)
  @Field(() => ID, { description: "The bank's own id of the account, such as `demo-1001`." })
  accountId!: string;

  @Matches(BANK_ID, BANK_ID_FORM)
  @Field(() => ID, { description: HOLD_ID })
  holdId!: string;
}

const CAPTURED = 'The amount that is captured, such as `48.20`; all that remains when absent.';
const KEEPS = 'True keeps what then remains, so that it can be captured later; it is released when absent or false.';

@Input('A capture of a purchase by card.')
export class SimulatedCaptureInput extends SimulatedHoldInput {
  @Field(() => Decimal, { nullable: true, description: CAPTURED })
  amount?: string | null;

  @Field(() => Boolean, { nullable: true, description: KEEPS })
  keepRest?: boolean | null;
}

/** `SimulatedCaptureInput` over REST, where amounts are JSON numbers. */
@Input('A capture of a purchase by card.')
export class SimulatedCaptureRecord extends SimulatedHoldInput {
  @Field(() => Float, { nullable: true, description: CAPTURED })
  amount?: number | null;

  @Field(() => Boolean, { nullable: true, description: KEEPS })
  keepRest?: boolean | null;
}

const PURCHASE = 'The id of the transaction that posted the purchase, such as `card-authorization~3f9a1c22b04d~1`.';

@Input('A purchase by card to refund. An absent amount is that of the purchase.')
export class SimulatedRefundInput extends SimulatedPaymentInput {
  @Matches(BANK_ID, BANK_ID_FORM)
  @Field(() => ID, { description: PURCHASE })
  transactionId!: string;
}

/** `SimulatedRefundInput` over REST, where amounts are JSON numbers. */
@Input('A purchase by card to refund. An absent amount is that of the purchase.')
export class SimulatedRefundRecord extends SimulatedPaymentRecord {
  @Matches(BANK_ID, BANK_ID_FORM)
  @Field(() => ID, { description: PURCHASE })
  transactionId!: string;
}

@Input('An ACH payment to return.')
export class SimulatedReturnInput {
  @Matches(BANK_ID, BANK_ID_FORM)
  @Field(() => ID, { description: "The bank's own id of the account, such as `demo-1001`." })
  accountId!: string;

  @Matches(BANK_ID, BANK_ID_FORM)
  @Field(() => ID, { description: 'The id of the transaction of the payment, such as `ach-debit~3f9a1c22b04d`.' })
  transactionId!: string;

  @Field(() => AchReturnCode, { description: 'The reason for the return.' })
  code!: AchReturnCode;
}

@Input('The month whose statements are to be issued.')
export class MonthCloseInput {
  @Matches(MONTH, 'a month such as 2026-06')
  @Field(() => String, {
    nullable: true,
    description:
      'The month, such as `2026-06`, which must be over by the clock of the program; the last one that is over when absent.',
  })
  month?: string | null;
}

@Input('The move of the clock of the program: exactly one of `forward` and `to`.')
export class ClockInput {
  @Matches(DURATION, DURATION_FORM)
  @Field(() => String, {
    nullable: true,
    description: `The duration (ISO 8601), such as \`P1M\`, \`P40D\` or \`PT36H\`, at most ${MAX_MOVE_DAYS} days. Months and years are those of the calendar in UTC.`,
  })
  forward?: string | null;

  @Field(() => DateTimeISO, {
    nullable: true,
    description: `An instant after the present one of the clock, such as \`2026-12-31T18:05:00Z\`, at most ${MAX_MOVE_DAYS} days away and not after ${LAST_YEAR}.`,
  })
  to?: string | null;
}
