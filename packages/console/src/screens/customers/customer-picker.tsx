import { useState } from 'preact/hooks';
import { useSettled } from '../../client/settled.js';
import { customersIn, FOUND_BY, useFoundCustomers } from './found-customers.js';
import { Button } from '../../ui/button.js';
import { MAX_SEARCH_CHARACTERS } from '../../ui/hits.js';
import { TextField } from '../../ui/field.js';
import { ProblemNote } from '../../ui/states.js';
import { nameOf } from '../../ui/words.js';

/** A customer who was chosen. */
export interface PickedCustomer {
  readonly customerId: string;
  readonly name: Parameters<typeof nameOf>[0];
}

interface CustomerPickerProps {
  /** The name of the chosen ones, such as `Owners`. */
  readonly label: string;
  readonly picked: readonly PickedCustomer[];
  readonly onPicked: (picked: readonly PickedCustomer[]) => void;
  readonly error?: string | undefined;
}

/** Customers who are found by a search, and chosen one after another. */
export function CustomerPicker({ label, picked, onPicked, error }: CustomerPickerProps) {
  const [text, setText] = useState('');
  const asked = useSettled(text.trim());
  const query = useFoundCustomers(asked);
  const found = query.data ? customersIn(query.data) : [];
  const others = found.filter(({ customerId }) => picked.every(one => one.customerId !== customerId));
  const add = ({ customerId, name }: PickedCustomer): void => {
    onPicked([...picked, { customerId, name }]);
    setText('');
  };
  return (
    <fieldset class="picker">
      <legend>{label}</legend>
      {picked.length > 0 && (
        <ul class="picks" aria-label={label}>
          {picked.map(({ customerId, name }, index) => (
            <li key={customerId}>
              <span>{nameOf(name)}</span>
              <Button
                kind="quiet"
                isSmall
                icon="close"
                aria-label={`Remove ${nameOf(name)}`}
                onClick={() => onPicked(picked.toSpliced(index, 1))}
              />
            </li>
          ))}
        </ul>
      )}
      <TextField
        label="Find a customer"
        isFilter
        hint={FOUND_BY}
        placeholder="Ashdown"
        value={text}
        onValue={setText}
        error={error}
        maxLength={MAX_SEARCH_CHARACTERS}
        autoFocus
      />
      {asked && query.problem && <ProblemNote problem={query.problem} />}
      <div role="status">
        {asked && !query.isLoading && query.data && found.length === 0 && <p class="soft">Nobody is found by this.</p>}
      </div>
      {others.length > 0 && (
        <ul class="picks" aria-label="Found">
          {others.map(customer => (
            <li key={customer.customerId}>
              <span>
                {nameOf(customer.name)}
                <span class="soft small">
                  {[customer.taxId, customer.addresses[0]?.city].filter(Boolean).join(' · ') || customer.customerId}
                </span>
              </span>
              <Button isSmall icon="plus" aria-label={`Choose ${nameOf(customer.name)}`} onClick={() => add(customer)}>
                Choose
              </Button>
            </li>
          ))}
        </ul>
      )}
    </fieldset>
  );
}
