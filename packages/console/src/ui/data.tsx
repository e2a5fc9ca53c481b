import type { ComponentChildren } from 'preact';
import { hrefOf } from '../router.js';
import { words } from './words.js';

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

/** A value of an approval as its changes have it: a text, or what a setting of the program is, in JSON. */
export function ChangedValue({ field, text }: { readonly field: string; readonly text: string | null | undefined }) {
  return <>{shown(field, text != null && JSON_TEXT.test(text) ? parsed(text) : text)}</>;
}

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
