import type { ReactNode } from 'react';
import { refusalsIn } from '../retries.js';

/** What was refused, in words; or that there was no answer. */
export function Refusals({ error }: { readonly error: unknown }): ReactNode {
  const refusals = refusalsIn(error);
  const words = refusals.flatMap(({ code, errors = [] }) =>
    errors.length > 0 ? errors.map(({ pointer, detail }) => `${pointer.split('/').at(-1)}: ${detail}`) : [code],
  );
  return <p role="alert">{words.join(' ') || 'There is no answer. Try again.'}</p>;
}
