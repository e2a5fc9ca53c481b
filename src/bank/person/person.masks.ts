import type { Caller } from '../../shared/caller.js';
import { mask, maskEmail } from '../../shared/mask.js';
import type { Address, Email, Phone } from './person.entity.js';

/** Stands for a text of which nothing is shown. */
const HIDDEN = '***';

/** The fields of people and organisations that are masked for agents, as these see them. */
const SEEN_BY_AGENTS: Readonly<Record<string, (value: never) => unknown>> = {
  dateOfBirth: () => null,
  contact: ({ email, telephones }: { readonly email: readonly string[]; readonly telephones: readonly Phone[] }) => ({
    email: email.map(maskEmail),
    telephones: telephones.map(maskedPhone),
  }),
  addresses: (addresses: readonly Address[]) => addresses.map(maskedAddress),
  emails: (emails: readonly Email[]) => emails.map(one => ({ ...one, email: maskEmail(one.email) })),
  phones: (phones: readonly Phone[]) => phones.map(maskedPhone),
};

/**
 * The record of a person as a caller sees it: whatever an agent asks for, and whatever its scopes, how the person is
 * reached and when the person was born is masked. The name stays, since people and accounts are found by it. Services
 * give a record of a person to no caller without this.
 */
export function seenBy<Of extends object>({ isAgent }: Caller, record: Of): Of {
  if (!isAgent) return record;
  const shown = Object.keys(SEEN_BY_AGENTS).filter(field => field in record);
  const masked = shown.map(field => {
    // A sealed value is opened when it is looked at.
    const get = (): unknown => {
      const value = record[field as keyof Of] ?? null;
      return value && SEEN_BY_AGENTS[field]?.(value as never);
    };
    return [field, { get, enumerable: true }] as const;
  });
  const descriptors = { ...Object.getOwnPropertyDescriptors(record), ...Object.fromEntries(masked) };
  return Object.create(Object.getPrototypeOf(record) as object, descriptors) as Of;
}

function maskedPhone(phone: Phone): Phone {
  return { ...phone, number: mask(phone.number) };
}

/** The state and the country stay. */
function maskedAddress({ line2, line3, postalCode, ...address }: Address): Address {
  return {
    ...address,
    line1: HIDDEN,
    line2: line2 && HIDDEN,
    line3: line3 && HIDDEN,
    city: HIDDEN,
    postalCode: postalCode && HIDDEN,
  };
}
