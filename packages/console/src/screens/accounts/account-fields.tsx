import type { AccountType } from '../../generated/graphql.js';
import { Check, Select, TextField } from '../../ui/field.js';

const TYPES: readonly AccountType[] = ['CHECKING', 'SAVINGS', 'MONEY_MARKET', 'CD'];

/** What can be changed of an account. */
export interface AccountValues {
  readonly accountType: AccountType;
  readonly timeZone: string;
  readonly interestBearing: boolean;
  readonly overdraftLimit: string;
}

interface AccountFieldsProps {
  readonly values: AccountValues;
  readonly set: (changes: Partial<AccountValues>) => void;
  readonly errorAt: (pointer: string) => string | undefined;
  readonly currency: string;
}

export function AccountFields({ values, set, errorAt, currency }: AccountFieldsProps) {
  return (
    <>
      <Select
        label="Type"
        value={values.accountType}
        onValue={accountType => set({ accountType })}
        options={TYPES}
        error={errorAt('/input/accountType')}
      />
      <TextField
        label="Time zone"
        hint="Days of the account begin at its midnight."
        placeholder="America/New_York"
        value={values.timeZone}
        onValue={timeZone => set({ timeZone })}
        error={errorAt('/input/timeZone')}
        maxLength={64}
      />
      <TextField
        label={`Overdraft limit in ${currency}`}
        isOptional
        inputMode="decimal"
        hint="How far below zero it may go. Empty means not at all."
        value={values.overdraftLimit}
        onValue={overdraftLimit => set({ overdraftLimit })}
        error={errorAt('/input/overdraftLimit')}
        maxLength={24}
      />
      <Check
        label="Earns interest, and gets Forms 1099-INT"
        isChecked={values.interestBearing}
        onChecked={interestBearing => set({ interestBearing })}
      />
    </>
  );
}
