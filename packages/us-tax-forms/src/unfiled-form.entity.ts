import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { registerEnumType } from 'type-graphql';
import { DataClasses } from 'tillgate/noun';
import { UNFILABLE_REASONS, type UnfilableReason } from './iris/returned-form.js';

/** The codes of the reasons in capitals, as the names of the API are. */
export const UnfiledReason = Object.fromEntries(
  Object.keys(UNFILABLE_REASONS).map(code => [code.toUpperCase(), code.toUpperCase()]),
);
registerEnumType(UnfiledReason, {
  name: 'UnfiledReason',
  description: 'The reason for which a form cannot be filed with the IRS as it is.',
  valuesConfig: Object.fromEntries(
    Object.entries(UNFILABLE_REASONS).map(([code, description]) => [code.toUpperCase(), { description }]),
  ),
});

/** A form that the last filing of its year could not take as it is. */
@Entity({ tableName: 'tax_unfiled_form' })
@DataClasses<UnfiledForm>({
  kept: 'until the next filing of the year, or the account is deleted',
  internal: ['program', 'taxYear', 'isTest', 'reason'],
  identifier: ['accountId'],
})
export class UnfiledForm {
  @PrimaryKey({ type: 'text' }) program!: string;
  @PrimaryKey({ type: 'integer' }) taxYear!: number;
  @PrimaryKey({ type: 'boolean' }) isTest!: boolean;
  @PrimaryKey({ type: 'text' }) accountId!: string;
  @Property({ type: 'text' }) reason!: UnfilableReason;
}
