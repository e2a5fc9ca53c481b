import { ConsoleCreateCustomerDocument, ConsoleUpdateCustomerDocument } from '../../generated/graphql.js';
import { CommandDialog } from '../../ui/command-dialog.js';
import { useForm, type Values } from '../../ui/form.js';
import { contactSent, customerFields, valuesFrom, type Customer } from './customer-fields.js';

interface CustomerDialogProps {
  /** The one that is changed; a new one when absent. */
  readonly customer?: Customer;
  readonly onCreated?: (customerId: string) => void;
  readonly onClose: () => void;
}

/** Adds a customer, or changes what somebody has changed in the fields. */
export function CustomerDialog({ customer, ...props }: CustomerDialogProps) {
  return customer ? <Edit {...{ customer, ...props }} /> : <Add {...props} />;
}

function Edit({ customer, onClose }: CustomerDialogProps & { readonly customer: Customer }) {
  const { customerId, version } = customer;
  const form = useForm(customerFields(false), { from: valuesFrom(customer), at: '/input/patch' });
  const variables = () => {
    const { contact, ...input } = form.changes();
    return {
      customerId,
      input: { ...input, ...(contact && { contact: contactSent(contact) }) },
      expectedVersion: version,
    };
  };
  return (
    <CommandDialog
      title={`Edit ${nameIn(form.values)}`}
      verb="Save"
      size="wide"
      operation={ConsoleUpdateCustomerDocument}
      {...{ form, variables, onClose }}
      done={() => `${nameIn(form.values)} was changed.`}
    />
  );
}

function Add({ onCreated, onClose }: CustomerDialogProps) {
  const form = useForm(customerFields(true), { at: '/input/customer' });
  const variables = () => {
    const { contact, ...input } = form.input();
    return { input: { ...input, contact: contactSent(contact) } };
  };
  return (
    <CommandDialog
      title="Add a customer"
      verb="Add customer"
      size="wide"
      operation={ConsoleCreateCustomerDocument}
      {...{ form, variables, onClose }}
      done={() => `${nameIn(form.values)} is a customer now.`}
      onDone={({ createCustomer }) => {
        onClose();
        if (createCustomer) onCreated?.(createCustomer.customer.customerId);
      }}
    />
  );
}

function nameIn(values: Values): string {
  return [values['name/first'], values['name/middle'], values['name/last']].filter(Boolean).join(' ');
}
