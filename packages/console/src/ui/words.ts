/** A name of the API for people: `FAMILY_RELATIVE` is `Family relative`, and `disabledReason` is `Disabled reason`. */
export function words(name: string): string {
  const text = name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[_.]/g, ' ')
    .toLowerCase();
  return EXCEPTIONS[name] ?? capital(text);
}

/** A text that begins a line. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const EXCEPTIONS: Readonly<Record<string, string>> = {
  CD: 'Certificate of deposit',
  TAX_1099: 'Form 1099-INT',
  STATEMENTS: 'Statement',
  SSN: 'SSN',
  ITIN: 'ITIN',
  ATIN: 'ATIN',
  EIN: 'EIN',
  V1: 'Shared secret (v1)',
  V1A: 'Public key (v1a)',
  CELL: 'Mobile',
  pii: 'Personal data',
  DIRECTDEPOSIT: 'Direct deposit',
  DIRECTDEBIT: 'Direct debit',
  INCOMINGWIRE: 'Incoming wire',
  OUTGOINGWIRE: 'Outgoing wire',
  ACH: 'ACH',
  ATM: 'ATM',
  TRANSFEROUT: 'Transfer out',
  TRANSFERIN: 'Transfer in',
};

/** `3 cards`, `1 card`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}

export function nameOf({
  first,
  middle,
  last,
}: {
  readonly first: string;
  readonly middle?: string | null;
  readonly last: string;
}): string {
  return [first, middle, last].filter(Boolean).join(' ');
}

/** Options with their words, of which the compiler misses none. */
export function optionsOf<Value extends string, Words = string>(wordsByValue: Readonly<Record<Value, Words>>) {
  return (Object.keys(wordsByValue) as Value[]).map(value => [value, wordsByValue[value]] as const);
}
