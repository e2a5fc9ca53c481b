import { createHash } from 'node:crypto';

export type Kind = 'taxId' | 'governmentId' | 'cardNumber' | 'cvv' | 'pin' | 'email' | 'phone' | 'street' | 'birthDate';

/** Whom a canary is about. A stray one is sent where no personal data belongs, so nobody may ever be shown it. */
export type Subject = 'customer' | 'beneficiary' | 'card' | 'stray';

/**
 * What the contract shows at all, and then only to a caller with the right to read it: of a beneficiary contact,
 * addresses and birth date (2.1), of an owner the contact and, with the scope `pii.read`, the whole government id
 * (2.2). Operators are shown of a customer what they may change: contact, addresses and birth date. Whole tax ids are
 * in answers to a reveal alone. Card numbers, PINs and CVVs are not in this list, so that no test can let them pass.
 */
export type ShownKind =
  | `beneficiary ${'email' | 'phone' | 'street' | 'birthDate' | 'taxId'}`
  | `customer ${'email' | 'phone' | 'street' | 'birthDate' | 'governmentId' | 'taxId'}`
  | 'stray taxId';

export const OF_BENEFICIARY: readonly ShownKind[] = [
  'beneficiary email',
  'beneficiary phone',
  'beneficiary street',
  'beneficiary birthDate',
];
export const OF_OWNER: readonly ShownKind[] = ['customer email', 'customer phone'];
/** What the operators of a program are shown of its customers. */
export const OF_CUSTOMER: readonly ShownKind[] = [...OF_OWNER, 'customer street', 'customer birthDate'];
export const OF_OWNER_WITH_ID: readonly ShownKind[] = [...OF_OWNER, 'customer governmentId'];

export const OF_REVEALED_OWNER: readonly ShownKind[] = [...OF_CUSTOMER, 'customer governmentId', 'customer taxId'];
export const OF_REVEALED_BENEFICIARY: readonly ShownKind[] = [...OF_BENEFICIARY, 'beneficiary taxId'];

/** What those who decide about a request read of it: the whole address of an endpoint, whatever is in it. */
export const OF_PROPOSED_ENDPOINT: readonly ShownKind[] = ['stray taxId'];

/** A piece of personal data that is nobody's, and that cannot be anywhere by chance. */
export interface Canary {
  readonly kind: Kind;
  readonly subject: Subject;
  /** The request or the file that it was sent in: tells where a leak began. */
  readonly sentBy: string;
  readonly text: string;
}

export interface Person {
  readonly taxId: string;
  readonly governmentId: string;
  readonly email: string;
  readonly phone: string;
  readonly streets: readonly [string, string, string];
  readonly birthDate: string;
}

export interface CardSecrets {
  readonly number: string;
  readonly pin: string;
  readonly cvv: string;
}

/** The one CVV of all cards. Four digits, since three stand in every time of day. */
export const CVV = '9174';

/** Makes canaries, and remembers every one. The same names give the same canaries in every run. */
export class Canaries {
  readonly all: Canary[] = [];

  person(subject: Subject, sentBy: string): Person {
    const digits = new Digits(`${subject} ${sentBy}`);
    const keep = (kind: Kind, text: string): string => {
      this.all.push({ kind, subject, sentBy, text });
      return text;
    };
    // Beyond ASCII and with signs that JSON, addresses and base64 write in more than one way.
    const street = (line: number) => keep('street', `${digits.take(6)} Qüünarystraße ${line}/"${digits.take(4)}" Nørd`);
    return {
      taxId: keep('taxId', `9${digits.take(2)}-${digits.take(2)}-${digits.take(4)}`),
      governmentId: keep('governmentId', `QX-${digits.take(4)}-${digits.take(4)}-K`),
      email: keep('email', `Canary.${digits.take(6)}+q@Nest-${digits.take(4)}.example`),
      phone: keep('phone', `+1 (${digits.take(3)}) ${digits.take(3)}-${digits.take(4)}`),
      streets: [street(1), street(2), street(3)],
      birthDate: keep('birthDate', this.newBirthDate(digits)),
    };
  }

  card(subject: 'card' | 'stray', sentBy: string): CardSecrets {
    const digits = new Digits(`${subject} with a card ${sentBy}`);
    const number = withCheckDigit(`99${digits.take(13)}`);
    const pin = digits.take(12);
    this.all.push({ kind: 'cardNumber', subject, sentBy, text: number }, { kind: 'pin', subject, sentBy, text: pin });
    // Alone it is too short to be searched for in bytes; see `cvvsIn`.
    for (const text of [`"cvv":"${CVV}"`, `"cvv": "${CVV}"`]) this.all.push({ kind: 'cvv', subject, sentBy, text });
    return { number, pin, cvv: CVV };
  }

  /**
   * There are not so many days that two would never be the same, and then a leak could not be told from what may be
   * shown.
   */
  private newBirthDate(digits: Digits): string {
    for (;;) {
      const date = `19${digits.between(10, 69)}-${digits.between(10, 12)}-${digits.between(13, 28)}`;
      if (!this.all.some(({ text }) => text === date)) return date;
    }
  }
}

/** Digits that follow from a name. */
class Digits {
  private left: bigint;
  constructor(name: string) {
    this.left = BigInt(`0x${createHash('sha512').update(`canary ${name}`).digest('hex')}`);
  }

  take(count: number): string {
    return Array.from({ length: count }, () => String(this.next(10))).join('');
  }

  /** A number of two digits. */
  between(least: number, most: number): string {
    return String(least + this.next(most - least + 1));
  }

  private next(below: number): number {
    const digit = this.left % BigInt(below);
    this.left /= BigInt(below);
    return Number(digit);
  }
}

/** ISO/IEC 7812-1, annex B. */
function withCheckDigit(start: string): string {
  let sum = 0;
  for (let place = 0; place < start.length; place++) {
    const digit = Number(start[start.length - 1 - place]) * (place % 2 === 0 ? 2 : 1);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return `${start}${(10 - (sum % 10)) % 10}`;
}
