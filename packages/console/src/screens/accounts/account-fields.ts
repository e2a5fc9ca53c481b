import { AccountType, type AccountPatch } from '../../generated/graphql.js';
import type { FieldsOf } from '../../ui/form.js';
import { amountIn } from '../../ui/usual-fields.js';

/** The fields of an account that can be changed. */
export function accountFields(currency: string) {
  return {
    accountType: { label: 'Type', options: Object.values(AccountType) },
    timeZone: {
      label: 'Time zone',
      hint: 'Days of the account begin at its midnight.',
      placeholder: 'America/New_York',
      maxLength: 64,
    },
    overdraftLimit: {
      ...amountIn(currency),
      label: `Overdraft limit in ${currency}`,
      isOptional: true,
      hint: 'How far below zero it may go. Empty means not at all.',
    },
    interestBearing: { check: 'Earns interest, and gets Forms 1099-INT' },
  } as const satisfies FieldsOf<AccountPatch>;
}
