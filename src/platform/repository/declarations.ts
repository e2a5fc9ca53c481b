import type { KeyRings } from '../crypto/key-ring.js';
import type { DigestOf } from '../crypto/sealed-column.js';

/** The way in which a column of sealed bytes is read and written. */
export interface SealedField {
  /**
   * The name under which a reader has the opened value. Without it, the bytes are sealed and opened by somebody else.
   */
  readonly as?: string;
  /** The ring of keys: that of cards, or by default that of all other fields. */
  readonly ring?: keyof KeyRings;
  /** Fields of the opened value that a reader has as the entity's own. */
  readonly shows?: readonly string[];
  /** The part of the identity that the value is sealed under behind the row's own. */
  readonly suffix?: string;
  /**
   * Properties of the same row with keyed digests of the opened value, as bytes or as words. They name a key too, so
   * they change when keys are rotated. Rows that were written before there was one get it then.
   */
  readonly digests?: Readonly<Record<string, DigestOf>>;
  /** The statement for the new seal of a row where accounts are on many servers, if it writes other tables there. */
  readonly resealApart?: string;
}

/** The declarations of the properties of an entity's class beyond what MikroORM knows. */
export interface Declarations {
  /** The sealed columns, by their properties. */
  readonly sealed: Map<string, SealedField>;
  readonly lazy: Set<string>;
  readonly unread: Set<string>;
  readonly fromParent: Set<string>;
  readonly setByDatabase: Set<string>;
  /** The names under which a reader has the texts of columns, by their properties. */
  readonly texts: Map<string, string>;
  readonly derived: Map<string, (row: never) => unknown>;
}

const declared = new WeakMap<object, Declarations>();

export function declarationsOf(prototype: object): Declarations {
  const declaration = declared.get(prototype);
  if (declaration) return declaration;
  const none: Declarations = {
    sealed: new Map(),
    lazy: new Set(),
    unread: new Set(),
    fromParent: new Set(),
    setByDatabase: new Set(),
    texts: new Map(),
    derived: new Map(),
  };
  declared.set(prototype, none);
  return none;
}

/**
 * Declares that a column holds sealed bytes: it is read only where it is asked for, and sealed anew when keys are
 * rotated.
 */
export function Sealed(field: SealedField): PropertyDecorator {
  return (prototype, name) => void declarationsOf(prototype).sealed.set(String(name), field);
}

/**
 * Declares that a column is read only where it is asked for. MikroORM's own `lazy` would change what it loads itself.
 */
export function Lazy(): PropertyDecorator {
  return (prototype, name) => void declarationsOf(prototype).lazy.add(String(name));
}

/**
 * Declares that a column is read and written by statements of its own, and that rows are read and inserted without it.
 */
export function Unread(): PropertyDecorator {
  return (prototype, name) => void declarationsOf(prototype).unread.add(String(name));
}

/**
 * Declares a field that rows are read without: the reader of a row gives its value, such as the account's id and
 * currency for all entries of one ledger. If it is a column, it is inserted.
 */
export function FromParent(): PropertyDecorator {
  return (prototype, name) => void declarationsOf(prototype).fromParent.add(String(name));
}

/**
 * Declares that a reader also has the text of the column as PostgreSQL gives it, by the name `as`: what is sent as it
 * is stored needs no decoding. Rows with such a column are decoded only where they are looked at.
 */
export function AsText(as: string): PropertyDecorator {
  return (prototype, name) => void declarationsOf(prototype).texts.set(String(name), as);
}

/**
 * Declares that the database gives the value of a column in every write, so that nothing that is written has it:
 * whatever writes the row counts, also by hand.
 */
export function SetByDatabase(): PropertyDecorator {
  return (prototype, name) => void declarationsOf(prototype).setByDatabase.add(String(name));
}

/**
 * Declares a field without a column, and how it follows from a row's columns. A getter would be called with a copy of
 * the row by Type-GraphQL.
 */
export function Derived<Row>(of: (row: Row) => unknown): PropertyDecorator {
  return (prototype, name) => void declarationsOf(prototype).derived.set(String(name), of);
}

/**
 * The properties of an entity's class whose columns are read only where they are asked for: sealed ones, their digests,
 * and `Lazy` ones.
 */
export function lazyPropertiesOf(prototype: object): ReadonlySet<string> {
  const { sealed, lazy } = declarationsOf(prototype);
  const digests = [...sealed.values()].flatMap(field => Object.keys(field.digests ?? {}));
  return new Set([...sealed.keys(), ...digests, ...lazy]);
}

/** The identity under which a row's value is sealed: a seal that is copied into another row does not open. */
export function sealIdentity(table: string, key: readonly string[], suffix = ''): string {
  return `${[table, ...key].join('/')}${suffix}`;
}
