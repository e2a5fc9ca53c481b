import { redactText } from './redact-text.js';

/**
 * Fields whose values are never logged. Names are compared in lower case without `_`, `-` and the like, so `taxId`, `tax_id` and
 * `TAX-ID` are one.
 */

/** The whole name: short words that are harmless inside of others (`pin` in `shipping`, `number` in `pageNumber`). */
const WHOLE_NAMES: ReadonlySet<string> = new Set([
  ...['number', 'pan', 'cvv', 'cvv2', 'cvc', 'cvc2', 'pin', 'newpin', 'oldpin', 'pinblock', 'expiration'],
  ...['ssn', 'itin', 'ein', 'iban', 'dob', 'birthday'],
  ...['address', 'addresses', 'homeaddress', 'mailingaddress', 'billingaddress', 'shippingaddress'],
  ...['street', 'postalcode', 'zip', 'zipcode'],
  ...['firstname', 'middlename', 'lastname', 'fullname', 'maidenname', 'holdername', 'nameoncard', 'embossedname'],
]);

/** Any part of the name: words that say the same in every company (`newPassword`, `x-idempotency-key`, `emailAddress`). */
const PARTS = [
  ...[
    'authorization',
    'cookie',
    'password',
    'passwd',
    'passphrase',
    'secret',
    'token',
    'apikey',
    'privatekey',
    'fieldkeys',
    'idempotencykey',
  ],
  ...[
    'taxid',
    'governmentid',
    'dateofbirth',
    'birthdate',
    'cardnumber',
    'accountnumber',
    'securitycode',
    'cardholdername',
  ],
  ...['email', 'phone', 'addressline'],
];
const ANY_PART = new RegExp(`${PARTS.join('|')}|^line[1-9]$`);

/** What to show instead of a name, and whether to show its value. */
interface Verdict {
  readonly shown: string;
  readonly sensitive: boolean;
  /** Ends in `name`: a command or an error has a name too, only a person's has parts. */
  readonly name: boolean;
}

/** Decides once a name: the same few dozen come in every line. Bounded, for names can come from outside. */
const verdicts = new Map<string, Verdict>();
const MAX_VERDICTS = 2000;
const MAX_NAME_CHARACTERS = 100;

export function judgeName(name: string): Verdict {
  const known = verdicts.get(name);
  if (known !== undefined) return known;
  const word = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  const verdict = {
    shown: redactText(name),
    sensitive: WHOLE_NAMES.has(word) || ANY_PART.test(word),
    name: word.endsWith('name'),
  };
  if (verdicts.size < MAX_VERDICTS && name.length <= MAX_NAME_CHARACTERS) verdicts.set(name, verdict);
  return verdict;
}
