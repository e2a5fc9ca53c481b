import { useState } from 'preact/hooks';
import { useQuery } from '../../client/query.js';
import { ConsoleOpenAccountDocument, ConsoleUsualAccountDocument } from '../../generated/graphql.js';
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
      hint: 'The bank’s own, of no other account. Empty for a new one.',
      placeholder: 'demo-1001',
      maxLength: 64,
      isOptional: true,
    },
    currency: CURRENCY,
    ...accountFields(currency),
  } as const;
}

/** Opens an account for customers of the program, in the currency and the time zone that most accounts have. */
export function OpenAccount(props: OpenAccountProps) {
  const { data, isLoading } = useQuery(ConsoleUsualAccountDocument, {});
  if (isLoading) return null;
  const accounts = data?.accounts?.nodes ?? [];
  const currency = usualOf(accounts.map(account => account.currency)) ?? 'USD';
  const timeZone =
    usualOf(accounts.map(account => account.timeZone)) ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  return <OpenAccountForm {...props} usual={{ currency, timeZone }} />;
}

/** The most frequent of some texts. */
function usualOf(texts: readonly string[]): string | undefined {
  const byText = [...Map.groupBy(texts, text => text)];
  return byText.toSorted(([, one], [, other]) => other.length - one.length)[0]?.[0];
}

type Usual = Readonly<Record<'currency' | 'timeZone', string>>;

function OpenAccountForm({ owners: proposed = [], usual, onClose }: OpenAccountProps & { readonly usual: Usual }) {
  const [owners, setOwners] = useState(proposed);
  const form = useForm(fieldsIn(usual.currency), { from: usual, at: '/input/account' });
  const { currency } = form.values;
  return (
    <CommandDialog
      title="Open an account"
      verb="Open account"
      size="wide"
      operation={ConsoleOpenAccountDocument}
      form={{ ...form, fields: fieldsIn(currency) }}
      variables={() => ({ input: { ...form.input(), owners: owners.map(({ customerId }) => customerId) } })}
      done={({ openAccount }) => `Account ${openAccount?.account.accountId ?? ''} is open.`}
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
