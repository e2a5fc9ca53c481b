import type { ComponentChildren } from 'preact';
import { useQuery } from '../client/query.js';
import { ConsoleCustomerNameDocument } from '../generated/graphql.js';
import { hrefOf } from '../router.js';
import { grouped } from './money.js';
import { nameOf, words } from './words.js';

/** Filters of webhook endpoints: none means all. */
const ALL_WHEN_EMPTY: ReadonlySet<string> = new Set(['types', 'accountIds']);
/** Codes that are not words. */
const AS_IT_IS: ReadonlySet<string> = new Set(['currency', 'category', 'code']);

/** Shows the data of an event or an approval: names and values as they came, in words. They hold no personal data. */
export function Data({ data }: { readonly data: Readonly<Record<string, unknown>> }) {
  const entries = Object.entries(data);
  if (entries.length === 0) return <span class="soft">None</span>;
  return (
    <dl class="facts lines">
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>{words(name)}</dt>
          <dd>{shown(name, value)}</dd>
        </div>
      ))}
    </dl>
  );
}

/**
 * A value of an approval as its changes have it: a text, a posting, the ids of customers, or what a setting of the
 * program is, in JSON.
 */
export function ChangedValue({ field, text }: { readonly field: string; readonly text: string | null | undefined }) {
  if (text == null) return <>{shown(field, text)}</>;
  const [, status, direction, amount] = POSTING.exec(text) ?? [];
  if (status && direction && amount) return <>{`${words(status)} ${direction.toLowerCase()} of ${grouped(amount)}`}</>;
  const customers = text.split(', ');
  if (field.endsWith('owners') && customers.every(id => UUID.test(id))) {
    return (
      <ul class="bare-list">
        {customers.map(customerId => (
          <li key={customerId}>
            <CustomerLink customerId={customerId} />
          </li>
        ))}
      </ul>
    );
  }
  return <>{shown(field, JSON_TEXT.test(text) ? parsed(text) : text)}</>;
}

/** Leads to a customer by name; by the id until that is there, and where it cannot be read. */
function CustomerLink({ customerId }: { readonly customerId: string }) {
  const { data } = useQuery(ConsoleCustomerNameDocument, { customerId });
  const name = data?.customer?.name;
  return <a href={hrefOf(`/customers/${customerId}`)}>{name ? nameOf(name) : customerId}</a>;
}

/** Such as `POSTED DEBIT 900.00`. */
const POSTING = /^([A-Z]+) (CREDIT|DEBIT|MEMO) ([\d.]+)$/;
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
const JSON_TEXT = /^(?:[[{"]|(?:true|false)$)/;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A text that only begins like JSON, such as a description.
    return text;
  }
}

function shown(name: string, value: unknown): ComponentChildren {
  if (value === null || value === undefined || value === '') return <span class="soft">None</span>;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (Array.isArray(value)) {
    if (value.length === 0) return <span class="soft">{ALL_WHEN_EMPTY.has(name) ? 'All' : 'None'}</span>;
    return (
      <ul class="bare-list">
        {value.map((item, index) => (
          <li key={index}>{shown(name, item)}</li>
        ))}
      </ul>
    );
  }
  if (typeof value === 'object') return <Data data={value as Record<string, unknown>} />;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (name === 'accountId') return <a href={hrefOf(`/accounts/${encodeURIComponent(text)}`)}>{text}</a>;
  if (name === 'customerId') return <a href={hrefOf(`/customers/${encodeURIComponent(text)}`)}>{text}</a>;
  return !AS_IT_IS.has(name) && /^[A-Z][A-Z0-9_]+$/.test(text) ? words(text) : text;
}
