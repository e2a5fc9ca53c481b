import { Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { Currency, Decimal, LocalDate, TaxStatus, UUID, Renamed } from 'tillgate/noun';
import { TaxFilingState } from './tax-filing.entity.js';
import { UnfiledReason } from './unfiled-form.entity.js';

/** The number up to which the subjects of a step are counted. */
export const MAX_COUNTED = 10_000;

/** The steps of a payer of interest in a tax year, in their order. */
export const TAX_STEPS = {
  ISSUE: 'Issue the Forms 1099-INT.',
  POST: 'Post the forms of recipients who have not consented to electronic forms alone.',
  FILE: 'Write the returns for the IRS.',
  SEND: 'Send the files to the IRS, and hand over its answer.',
  REPLACE: 'The IRS has rejected returns: remove the reason, and file them again.',
  NOT_FILED: 'Remove what keeps forms from being filed, and file again, or file them on paper.',
  CORRECT:
    'Correct returns that the IRS has accepted: correct the customers with errors, issue the year again, and file the corrections.',
  WITHHOLD:
    'Withhold 24 percent of interest from customers who have given no tax id, or have not certified it (26 USC 3406).',
  FORM_1042_S: 'Report the interest of foreign customers on Form 1042-S.',
} as const;
export type TaxStepCode = keyof typeof TAX_STEPS;
const STEP_CODES = Object.fromEntries(Object.keys(TAX_STEPS).map(code => [code, code]));
registerEnumType(STEP_CODES, {
  name: 'TaxStepCode',
  description: 'The step of a payer of interest in a tax year.',
  valuesConfig: Object.fromEntries(Object.entries(TAX_STEPS).map(([code, description]) => [code, { description }])),
});

export const TaxPayeeList = {
  FORMS: 'FORMS',
  CORRECTIONS: 'CORRECTIONS',
  NOT_FILED: 'NOT_FILED',
  BACKUP_WITHHOLDING: 'BACKUP_WITHHOLDING',
  FORM_1042_S: 'FORM_1042_S',
  POST: 'POST',
  SAME_TAX_ID: 'SAME_TAX_ID',
} as const;
export type TaxPayeeList = keyof typeof TaxPayeeList;
registerEnumType(TaxPayeeList, {
  name: 'TaxPayeeList',
  description: 'Customers of a tax year, most of whom are those about whom a payer of interest must do something.',
  valuesConfig: {
    FORMS: {
      description:
        'The recipients of forms, each with the last form of an account: its primary owner at the end of the year.',
    },
    CORRECTIONS: {
      description:
        'The recipients of forms that were issued again since the IRS accepted their returns, or whose returns have errors.',
    },
    NOT_FILED: {
      description: 'The recipients of forms that the last filing of the year could not take as they are.',
    },
    BACKUP_WITHHOLDING: {
      description:
        'The primary owners of accounts with interest: first those who have no tax id of the United States, with the reason `UNFILABLE_TAX_ID`, then those who have not certified theirs by the end of the year.',
    },
    FORM_1042_S: { description: 'The customers who had certified to be no persons of the United States by then.' },
    POST: { description: 'The recipients of forms who have not consented to electronic forms alone.' },
    SAME_TAX_ID: { description: 'The customers whose tax id another customer record has, too: they are one payee.' },
  },
});

@ObjectType({ description: 'A step of a tax year.', simpleResolvers: true })
export class TaxStep {
  @Field(() => STEP_CODES, { description: 'The step that is to be done.' })
  code!: TaxStepCode;

  @Field(() => LocalDate, {
    nullable: true,
    description: 'The last day for it, such as `2027-03-31`; null for at once.',
  })
  dueOn!: string | null;

  @Field(() => Boolean, { description: 'True if it is done, as far as the gateway knows.' })
  isDone!: boolean;

  @Field(() => Int, {
    nullable: true,
    description:
      'The number of forms or customers of the step; null if it is not counted. Customers are counted up to 10,000, which means that many or more.',
  })
  count!: number | null;
}

@ObjectType({ description: 'The number of returns in a state.', simpleResolvers: true })
export class TaxReturnCount {
  @Field(() => TaxFilingState, { description: 'The state that these returns have with the IRS.' })
  @Renamed('status')
  state!: TaxFilingState;

  @Field(() => Int, { description: 'The number of returns.' })
  @Renamed('returnCount')
  returns!: number;
}

@ObjectType({ description: 'A tax year of a program as a payer of interest.', simpleResolvers: true })
export class TaxYear {
  @Field(() => Int, { description: 'The tax year, such as 2026.' })
  taxYear!: number;

  @Field(() => Int, { description: 'The number of accounts that have a Form 1099-INT.' })
  @Renamed('formCount')
  forms!: number;

  @Field(() => Int, { description: 'The number of issued forms that correct another one of the year.' })
  @Renamed('correctedFormCount')
  correctedForms!: number;

  @Field(() => [TaxReturnCount], { description: 'The returns of filings that were not replaced, by their states.' })
  returns!: readonly TaxReturnCount[];

  @Field(() => [TaxStep], { description: 'The steps of the year in their order, without those that do not apply.' })
  steps!: readonly TaxStep[];
}

@ObjectType({
  description: 'A customer of a tax year, with a form where the list is one of forms.',
  simpleResolvers: true,
})
export class TaxPayee {
  @Field(() => UUID, { description: 'The id of the customer, such as `0000d001-0000-4000-8000-000000000000`.' })
  customerId!: string;

  @Field(() => ID, {
    nullable: true,
    description: 'The account of the form, such as `demo-1001`; null for lists that are not of forms.',
  })
  accountId!: string | null;

  @Field(() => TaxStatus, {
    nullable: true,
    description: 'The certification of the customer; null if it is not recorded.',
  })
  taxStatus!: TaxStatus | null;

  @Field(() => LocalDate, {
    nullable: true,
    description: 'The day from which the status is so, such as `2026-02-28`; null if there is none.',
  })
  taxStatusOn!: string | null;

  @Field(() => ID, {
    nullable: true,
    description:
      'The last form of the account, among its documents, such as `5b0e8a53-0c1f-4a2e-9d44-7f1c9a523d60`; null for lists that are not of forms.',
  })
  statementId!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: 'Box 1 of the form, such as `12.33`; null for lists that are not of forms.',
  })
  interest!: string | null;

  @Field(() => Currency, {
    nullable: true,
    description: 'The currency of the form (ISO 4217), such as `USD`; null for lists that are not of forms.',
  })
  currency!: string | null;

  @Field(() => UnfiledReason, {
    nullable: true,
    description:
      'The reason for which the form could not be filed, or `UNFILABLE_TAX_ID` for customers in `BACKUP_WITHHOLDING` without a tax id; null for others.',
  })
  reason!: string | null;
}
