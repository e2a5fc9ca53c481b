import { useState } from 'preact/hooks';
import { ConsoleUpdateAccountDocument, type AccountPatch } from '../../generated/graphql.js';
import { CommandDialog } from '../../ui/command-dialog.js';
import { AccountFields, type AccountValues } from '../accounts/account-fields.js';
import type { Account } from './account-of.js';

interface EditAccountProps {
  readonly account: Account;
  readonly onClose: () => void;
}

/** Changes the account as far as somebody has changed the fields, unless another has changed it meanwhile. */
export function EditAccount({ account, onClose }: EditAccountProps) {
  const { accountId, version, currency } = account;
  const [before] = useState(() => valuesOf(account));
  const [values, setValues] = useState(before);
  return (
    <CommandDialog
      title={`Edit ${accountId}`}
      verb="Save"
      operation={ConsoleUpdateAccountDocument}
      variables={() => ({ accountId, input: patchOf(before, values), expectedVersion: version })}
      done={() => `Account ${accountId} was changed.`}
      onClose={onClose}
    >
      {errorAt => (
        <div class="fields">
          <AccountFields
            {...{ values, errorAt, currency }}
            set={changes => setValues(last => ({ ...last, ...changes }))}
          />
        </div>
      )}
    </CommandDialog>
  );
}

function valuesOf({ accountType, timeZone, interestBearing, balances }: Account): AccountValues {
  return { accountType, timeZone, interestBearing, overdraftLimit: balances.overdraftLimit };
}

function patchOf(before: AccountValues, after: AccountValues): AccountPatch {
  const { accountType, timeZone, interestBearing, overdraftLimit } = after;
  return {
    ...(accountType !== before.accountType && { accountType }),
    ...(timeZone !== before.timeZone && { timeZone: timeZone.trim() }),
    ...(interestBearing !== before.interestBearing && { interestBearing }),
    ...(overdraftLimit !== before.overdraftLimit && { overdraftLimit: overdraftLimit.trim() || null }),
  };
}
