import { useState } from 'preact/hooks';
import { ConsoleCreateCustomerDocument, ConsoleUpdateCustomerDocument } from '../../generated/graphql.js';
import { CommandDialog } from '../../ui/command-dialog.js';
import { CustomerFields } from './customer-fields.js';
import { inputOf, patchOf, valuesOf, type Customer } from './customer-values.js';

interface CustomerDialogProps {
  /** The one that is changed; a new one when absent. */
  readonly customer?: Customer;
  readonly onCreated?: (customerId: string) => void;
  readonly onClose: () => void;
}

/** Adds a customer, or changes what somebody has changed in the fields. */
export function CustomerDialog({ customer, onCreated, onClose }: CustomerDialogProps) {
  const [before] = useState(() => valuesOf(customer));
  const [values, setValues] = useState(before);
  const name = [values.first, values.middle, values.last].filter(Boolean).join(' ');
  const fields = (errorAt: (pointer: string) => string | undefined) => (
    <CustomerFields
      {...{ values, errorAt }}
      isNew={!customer}
      set={changes => setValues(last => ({ ...last, ...changes }))}
    />
  );
  if (customer) {
    const { customerId, version } = customer;
    return (
      <CommandDialog
        title={`Edit ${name}`}
        verb="Save"
        size="wide"
        operation={ConsoleUpdateCustomerDocument}
        variables={() => ({ customerId, input: patchOf(before, values), expectedVersion: version })}
        done={() => `${name} was changed.`}
        onClose={onClose}
      >
        {fields}
      </CommandDialog>
    );
  }
  return (
    <CommandDialog
      title="Add a customer"
      verb="Add customer"
      size="wide"
      operation={ConsoleCreateCustomerDocument}
      variables={() => ({ input: inputOf(values) })}
      done={() => `${name} is a customer now.`}
      onDone={({ createCustomer }) => {
        onClose();
        if (createCustomer) onCreated?.(createCustomer.customerId);
      }}
      onClose={onClose}
    >
      {fields}
    </CommandDialog>
  );
}
