import { useState } from 'preact/hooks';
import { ConsoleEraseCustomerDocument } from '../../generated/graphql.js';
import { CommandDialog } from '../../ui/command-dialog.js';
import { ReasonField } from '../../ui/reason-field.js';
import { nameOf } from '../../ui/words.js';
import type { Customer } from '../customers/customer-values.js';

interface EraseCustomerProps {
  readonly customer: Customer;
  readonly onClose: () => void;
}

/** Ends what is on record about a person. */
export function EraseCustomer({ customer, onClose }: EraseCustomerProps) {
  const { customerId, version } = customer;
  const name = nameOf(customer.name);
  const [reason, setReason] = useState('');
  return (
    <CommandDialog
      title={`Erase ${name}`}
      operation={ConsoleEraseCustomerDocument}
      variables={() => ({ customerId, reason, expectedVersion: version })}
      verb="Erase personal data"
      isDangerous
      done={() => `The personal data of ${name} was erased.`}
      onClose={onClose}
    >
      {errorAt => (
        <>
          <p>
            Names, numbers, contact and addresses go for good, with the notes about {name}. It cannot be taken back. The
            history and the documents of closed accounts stay until their retention is over. A customer with an open
            account, a usable card, or a closed account whose retention runs cannot be erased.
          </p>
          <ReasonField
            hint="For the records of the bank, without personal data, such as a number of the request."
            value={reason}
            onValue={setReason}
            error={errorAt('/reason')}
          />
        </>
      )}
    </CommandDialog>
  );
}
