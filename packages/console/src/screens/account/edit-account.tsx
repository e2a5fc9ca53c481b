import { ConsoleUpdateAccountDocument } from '../../generated/graphql.js';
import { CommandDialog } from '../../ui/command-dialog.js';
import { useForm } from '../../ui/form.js';
import { accountFields } from '../accounts/account-fields.js';
import type { Account } from './account-of.js';

interface EditAccountProps {
  readonly account: Account;
  readonly onClose: () => void;
}

/** Changes the account as far as somebody has changed the fields, unless another has changed it meanwhile. */
export function EditAccount({ account, onClose }: EditAccountProps) {
  const { accountId, version, currency, balances } = account;
  const form = useForm(accountFields(currency), {
    from: { ...account, overdraftLimit: balances.overdraftLimit },
    at: '/input/patch',
  });
  return (
    <CommandDialog
      title={`Edit ${accountId}`}
      verb="Save"
      operation={ConsoleUpdateAccountDocument}
      form={form}
      variables={() => ({ accountId, input: form.changes(), expectedVersion: version })}
      done={() => `Account ${accountId} was changed.`}
      onClose={onClose}
    />
  );
}
