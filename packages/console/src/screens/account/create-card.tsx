import { useState } from 'preact/hooks';
import { ConsoleCreateCardDocument, type CardStatus, type CardType } from '../../generated/graphql.js';
import { CommandDialog } from '../../ui/command-dialog.js';
import { Select, TextField } from '../../ui/field.js';
import { nameOf } from '../../ui/words.js';
import type { Account } from './account-of.js';

const TYPES: readonly CardType[] = ['PHYSICAL', 'VIRTUAL'];
const FIRST_STATUSES: readonly CardStatus[] = ['INACTIVE', 'ACTIVE'];

/** Records a card that the bank has issued. */
export function CreateCard({ account, onClose }: { readonly account: Account; readonly onClose: () => void }) {
  const { accountId, currency, owners } = account;
  const holders = owners.map(({ customerId, name }) => [customerId, name ? nameOf(name) : customerId] as const);
  const [number, setNumber] = useState('');
  const [month, setMonth] = useState('');
  const [cardHolderId, setHolder] = useState(holders[0]?.[0] ?? '');
  const [cardProductId, setProduct] = useState('');
  const [type, setType] = useState<CardType>('PHYSICAL');
  const [status, setStatus] = useState<CardStatus>('INACTIVE');
  return (
    <CommandDialog
      title="Create a card"
      verb="Create card"
      size="wide"
      operation={ConsoleCreateCardDocument}
      variables={() => ({
        input: {
          accountId,
          currency,
          cardHolderId,
          cardProductId,
          type,
          status,
          number: number.replaceAll(/[\s-]/g, ''),
          expiration: `${month.slice(5, 7)}${month.slice(2, 4)}`,
        },
      })}
      done={({ createCard }) => `Card •••• ${createCard?.last4 ?? ''} was created.`}
      onClose={onClose}
    >
      {errorAt => (
        <div class="fields">
          <TextField
            label="Card number"
            inputMode="numeric"
            hint="12 to 19 digits. It is stored encrypted, and shown masked."
            value={number}
            onValue={setNumber}
            error={errorAt('/input/number')}
            maxLength={23}
            autoFocus
          />
          <TextField
            label="Last month"
            type="month"
            hint="The last month in which it can be used."
            value={month}
            onValue={setMonth}
            error={errorAt('/input/expiration')}
          />
          <Select
            label="Holder"
            value={cardHolderId}
            onValue={setHolder}
            options={holders}
            error={errorAt('/input/cardHolderId')}
          />
          <TextField
            label="Product"
            placeholder="debit-classic"
            value={cardProductId}
            onValue={setProduct}
            error={errorAt('/input/cardProductId')}
            maxLength={64}
          />
          <Select label="Kind" value={type} onValue={setType} options={TYPES} error={errorAt('/input/type')} />
          <Select
            label="First status"
            value={status}
            onValue={setStatus}
            options={FIRST_STATUSES}
            error={errorAt('/input/status')}
          />
        </div>
      )}
    </CommandDialog>
  );
}
