import { BigIntType, type Opt } from '@mikro-orm/core';
import { Check, Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ObjectType, registerEnumType } from 'type-graphql';
import { DataClasses, DateTimeISO, StatementRun } from 'tillgate/noun';

/** The sandbox of a program that has used it. Never read in production. */
@Entity({ tableName: 'sandbox_program' })
@DataClasses<SandboxProgram>({
  kept: 'without end; empty in production',
  internal: ['program', 'aheadMs', 'simulations', 'closedUntil'],
})
@Check({ name: 'sandbox_program_ahead', expression: 'ahead_ms >= 0' })
export class SandboxProgram {
  @PrimaryKey({ type: 'text' }) program!: string;
  /** The time by which its clock is ahead of the real time. */
  @Property({ type: new BigIntType('number'), default: 0 }) aheadMs!: Opt<number>;
  /** The number of simulations so far, which makes the data of the next one. */
  @Property({ type: new BigIntType('number'), default: 0 }) simulations!: Opt<number>;
  /** By its clock: the periods that fell due until then are closed. */
  @Property({ type: 'datetime', length: 3, defaultRaw: 'now()' }) closedUntil!: Opt<Date>;
}

@ObjectType({ description: 'The clock of the program in the sandbox.', simpleResolvers: true })
export class SimulatedClock {
  @Field(() => DateTimeISO, {
    description: 'The present time of the program, such as `2026-12-31T18:05:00.000Z`. The clock goes on from there.',
  })
  now!: string;
}

@ObjectType({
  description: 'The result of moving the clock of the program.',
  simpleResolvers: true,
})
export class ClockMove {
  @Field(() => DateTimeISO, {
    description: 'The time to which the clock was moved, such as `2026-12-31T18:05:00.000Z`.',
  })
  now!: string;

  @Field(() => [StatementRun], {
    description:
      'The runs for the months and years that ended on the way, in their order. One that still runs goes on by itself.',
  })
  statementRuns!: readonly StatementRun[];
}

/** Why a payment is returned, by its code (Nacha Operating Rules, appendix four, table of return reasons). */
export const ACH_RETURNS = {
  R01: 'Insufficient funds',
  R02: 'Account closed',
  R03: 'No account, or unable to locate the account',
  R04: 'Invalid account number structure',
  R05: 'Unauthorized debit to a consumer account using a corporate entry class',
  R06: "Returned at the request of the originator's bank",
  R07: 'Authorization revoked by the customer',
  R08: 'Payment stopped',
  R09: 'Uncollected funds',
  R10: 'Customer advises that the originator is not known or not authorized',
  R11: 'Customer advises that the entry is not in accordance with the authorization',
  R12: 'Account sold to another bank',
  R13: 'Invalid routing number',
  R14: 'Representative payee deceased or unable to continue',
  R15: 'Beneficiary or account holder deceased',
  R16: 'Account frozen, or entry returned by instruction of OFAC',
  R17: 'Entry with an invalid account number under questionable circumstances',
  R18: 'Improper effective entry date',
  R19: 'Amount field error',
  R20: 'Non-transaction account',
  R21: 'Invalid company identification',
  R22: 'Invalid individual identification number',
  R23: 'Credit entry refused by the receiver',
  R24: 'Duplicate entry',
  R25: 'Addenda error',
  R26: 'Mandatory field error',
  R27: 'Trace number error',
  R28: 'Routing number check digit error',
  R29: 'Corporate customer advises that the entry is not authorized',
} as const;
export type AchReturnCode = keyof typeof ACH_RETURNS;
export const AchReturnCode = Object.fromEntries(Object.keys(ACH_RETURNS).map(code => [code, code])) as {
  readonly [Code in AchReturnCode]: Code;
};
registerEnumType(AchReturnCode, {
  name: 'AchReturnCode',
  description: 'The reason for the return of an ACH payment, by the codes of Nacha.',
  valuesConfig: Object.fromEntries(
    Object.entries(ACH_RETURNS).map(([code, reason]) => [code, { description: `${reason}.` }]),
  ),
});
