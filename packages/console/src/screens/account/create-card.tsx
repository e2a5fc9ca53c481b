import { CardType, ConsoleCreateCardDocument } from '../../generated/graphql.js';
import { CommandDialog } from '../../ui/command-dialog.js';
import { useForm } from '../../ui/form.js';
import { nameOf } from '../../ui/words.js';
import type { Account } from './account-of.js';

/** Records a card that the bank has issued. */
export function CreateCard({ account, onClose }: { readonly account: Account; readonly onClose: () => void }) {
  const { accountId, currency, owners } = account;
  const holders = owners.map(({ customerId, name }) => [customerId, name ? nameOf(name) : customerId] as const);
  const form = useForm(
    {
      number: {
        label: 'Card number',
        inputMode: 'numeric',
        hint: '12 to 19 digits. It is stored encrypted, and shown masked.',
        maxLength: 23,
        autoFocus: true,
        send: text => text.replaceAll(/[\s-]/g, ''),
      },
      expiration: {
        label: 'Last month',
        type: 'month',
        hint: 'The last month in which it can be used.',
        send: month => `${month.slice(5, 7)}${month.slice(2, 4)}`,
      },
      cardHolderId: { label: 'Holder', options: holders },
      cardProductId: { label: 'Product', placeholder: 'debit-classic', maxLength: 64 },
      type: { label: 'Kind', options: Object.values(CardType) },
      status: { label: 'First status', options: ['INACTIVE', 'ACTIVE'] },
    },
    { at: '/input/card' },
  );
  return (
    <CommandDialog
      title="Create a card"
      verb="Create card"
      size="wide"
      operation={ConsoleCreateCardDocument}
      form={form}
      variables={() => ({ input: { accountId, currency, ...form.input() } })}
      done={({ createCard }) => `Card •••• ${createCard?.card.last4 ?? ''} was created.`}
      onClose={onClose}
    />
  );
}
