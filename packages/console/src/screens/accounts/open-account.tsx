import { useState } from 'preact/hooks';
import { ConsoleOpenAccountDocument } from '../../generated/graphql.js';
import { hrefOf, navigate } from '../../router.js';
import { CommandDialog } from '../../ui/command-dialog.js';
import { TextField } from '../../ui/field.js';
import { pathOf } from '../account/account-of.js';
import { CustomerPicker, type PickedCustomer } from '../customers/customer-picker.js';
import { AccountFields, type AccountValues } from './account-fields.js';

interface OpenAccountProps {
  /** Who is proposed as its owners. */
  readonly owners?: readonly PickedCustomer[];
  readonly onClose: () => void;
}

/** Opens an account for customers of the program, and shows it. */
export function OpenAccount({ owners: proposed = [], onClose }: OpenAccountProps) {
  const [owners, setOwners] = useState(proposed);
  const [ids, setIds] = useState({ accountId: '', currency: 'USD' });
  const [values, setValues] = useState<AccountValues>(() => ({
    accountType: 'CHECKING',
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    interestBearing: false,
    overdraftLimit: '',
  }));
  const { accountId } = ids;
  return (
    <CommandDialog
      title="Open an account"
      verb="Open account"
      size="wide"
      operation={ConsoleOpenAccountDocument}
      variables={() => ({
        input: {
          ...values,
          accountId: accountId.trim(),
          currency: ids.currency.trim().toUpperCase(),
          overdraftLimit: values.overdraftLimit.trim() || null,
          owners: owners.map(({ customerId }) => customerId),
        },
      })}
      done={() => `Account ${accountId} is open.`}
      onDone={({ openAccount }) => {
        onClose();
        if (openAccount) navigate(hrefOf(pathOf(openAccount.accountId)));
      }}
      onClose={onClose}
    >
      {errorAt => (
        <>
          <CustomerPicker
            label="Owners, the primary one first"
            picked={owners}
            onPicked={setOwners}
            error={errorAt('/input/owners') ?? errorAt('/input/owners/0')}
          />
          <div class="fields">
            <TextField
              label="Account id"
              hint="The bank’s own, of no other account."
              placeholder="demo-1001"
              value={accountId}
              onValue={text => setIds({ ...ids, accountId: text })}
              error={errorAt('/input/accountId')}
              maxLength={64}
            />
            <TextField
              label="Currency"
              value={ids.currency}
              onValue={currency => setIds({ ...ids, currency })}
              error={errorAt('/input/currency')}
              maxLength={3}
            />
            <AccountFields
              {...{ values, errorAt }}
              currency={ids.currency}
              set={changes => setValues(last => ({ ...last, ...changes }))}
            />
          </div>
        </>
      )}
    </CommandDialog>
  );
}
