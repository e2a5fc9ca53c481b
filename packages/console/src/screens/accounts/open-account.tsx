import { useState } from 'preact/hooks';
import { ConsoleOpenAccountDocument } from '../../generated/graphql.js';
import { hrefOf, navigate } from '../../router.js';
import { CommandDialog } from '../../ui/command-dialog.js';
import { useForm } from '../../ui/form.js';
import { CURRENCY } from '../../ui/usual-fields.js';
import { pathOf } from '../account/account-of.js';
import { CustomerPicker, type PickedCustomer } from '../customers/customer-picker.js';
import { accountFields } from './account-fields.js';

interface OpenAccountProps {
  /** The customers who are proposed as its owners. */
  readonly owners?: readonly PickedCustomer[];
  readonly onClose: () => void;
}

function fieldsIn(currency: string) {
  return {
    accountId: {
      label: 'Account id',
      hint: 'The bank’s own, of no other account.',
      placeholder: 'demo-1001',
      maxLength: 64,
    },
    currency: CURRENCY,
    ...accountFields(currency),
  } as const;
}

/** Opens an account for customers of the program, and shows it. */
export function OpenAccount({ owners: proposed = [], onClose }: OpenAccountProps) {
  const [owners, setOwners] = useState(proposed);
  const form = useForm(fieldsIn('USD'), {
    from: { currency: 'USD', timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone },
    at: '/input/account',
  });
  const { accountId, currency } = form.values;
  return (
    <CommandDialog
      title="Open an account"
      verb="Open account"
      size="wide"
      operation={ConsoleOpenAccountDocument}
      form={{ ...form, fields: fieldsIn(currency) }}
      variables={() => ({ input: { ...form.input(), owners: owners.map(({ customerId }) => customerId) } })}
      done={() => `Account ${accountId} is open.`}
      onDone={({ openAccount }) => {
        onClose();
        if (openAccount) navigate(hrefOf(pathOf(openAccount.account.accountId)));
      }}
      onClose={onClose}
    >
      {errorAt => (
        <CustomerPicker
          label="Owners, the primary one first"
          picked={owners}
          onPicked={setOwners}
          error={errorAt('/input/account/owners') ?? errorAt('/input/account/owners/0')}
        />
      )}
    </CommandDialog>
  );
}
