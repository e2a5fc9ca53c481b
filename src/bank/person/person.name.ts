import type { PersonName } from './person.entity.js';
import type { NameInput, NamePatch } from './person.inputs.js';

/** A name as it is stored: an organisation has one name, which the contract keeps as the last one. */
export interface StoredName {
  readonly name: Pick<PersonName, 'first' | 'middle' | 'last'>;
  readonly isOrganization: boolean;
}

export function storedName({ first, middle, last, organization }: NameInput): StoredName {
  const isOrganization = Boolean(organization);
  return {
    name: { first: first ?? '', middle: middle ?? null, last: organization || (last ?? '') },
    isOrganization,
  };
}

/** The name after a patch, as it would be sent. A person becomes an organisation by `organization`, and one by `last`. */
export function nameAfter({ name, isOrganization }: StoredName, patch: NamePatch | undefined): NameInput {
  const { first, middle, last } = name;
  if (patch?.organization || (isOrganization && patch?.last)) return { ...patch };
  if (isOrganization) return { organization: last, ...patch };
  // One name is in `last`, and the first one is empty in the record.
  return { first: first || null, middle, last, ...patch };
}

/** The name as GraphQL shows it. */
export function shownName({ name, isOrganization }: StoredName): PersonName {
  return isOrganization ? { ...name, organization: name.last } : name;
}
