import { ConsoleEraseCustomerDocument } from '../../generated/graphql.js';
import { CommandDialog } from '../../ui/command-dialog.js';
import { useReason } from '../../ui/reason.js';
import { nameOf } from '../../ui/words.js';
import type { Customer } from '../customers/customer-fields.js';

interface EraseCustomerProps {
  readonly customer: Customer;
  readonly onClose: () => void;
}

/** Ends what is on record about a person. */
export function EraseCustomer({ customer, onClose }: EraseCustomerProps) {
  const { customerId, version } = customer;
  const name = nameOf(customer.name);
  const form = useReason('For the records of the bank, without personal data, such as a number of the request.');
  return (
    <CommandDialog
      title={`Erase ${name}`}
      operation={ConsoleEraseCustomerDocument}
      form={form}
      variables={() => ({ customerId, ...form.input(), expectedVersion: version })}
      verb="Erase personal data"
      isDangerous
      done={() => `The personal data of ${name} was erased.`}
      onClose={onClose}
    >
      <p>
        Names, numbers, contact and addresses go for good, with the notes about {name}. It cannot be taken back. The
        history and the documents of closed accounts stay until their retention is over. A customer with an open
        account, a usable card, or a closed account whose retention runs cannot be erased.
      </p>
    </CommandDialog>
  );
}
