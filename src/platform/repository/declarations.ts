import type { KeyRing } from '../crypto/key-ring.js';

/** How a column of sealed bytes is read and written. */
export interface SealedField {
  /**
   * The name under which a reader has the opened value. Without it, the bytes are sealed and opened by somebody else.
   */
  readonly as?: string;
  /** Fields of the opened value that a reader has as the entity's own. */
  readonly shows?: readonly string[];
  /** What the identity that the value is sealed under has behind the row's own. */
  readonly suffix?: string;
  /**
   * Properties of the same row with keyed digests of the opened value. They name a key too, so they change when keys
   * are rotated.
   */
  readonly digests?: Readonly<Record<string, (keys: KeyRing, value: unknown) => Buffer>>;
}

const declared = new WeakMap<object, Map<string, SealedField>>();
const lazy = new WeakMap<object, Set<string>>();
const unread = new WeakMap<object, Set<string>>();
const counted = new WeakMap<object, Set<string>>();
const derived = new WeakMap<object, Map<string, (row: never) => unknown>>();

/**
 * Declares that a column holds sealed bytes: it is read only where it is asked for, and sealed anew when keys are
 * rotated.
 */
export function Sealed(field: SealedField): PropertyDecorator {
  return (prototype, name) => {
    const fields = declared.get(prototype) ?? new Map<string, SealedField>();
    declared.set(prototype, fields.set(String(name), field));
  };
}

/**
 * Declares that a column is read only where it is asked for. MikroORM's own `lazy` would change what it loads itself.
 */
export function Lazy(): PropertyDecorator {
  return (prototype, name) => void lazy.set(prototype, (lazy.get(prototype) ?? new Set()).add(String(name)));
}

/**
 * Declares that a column is read and written by statements of its own, and that rows are read and inserted without it.
 */
export function Unread(): PropertyDecorator {
  return (prototype, name) => void unread.set(prototype, (unread.get(prototype) ?? new Set()).add(String(name)));
}

export function unreadPropertiesOf(prototype: object): ReadonlySet<string> {
  return unread.get(prototype) ?? new Set();
}

/**
 * Declares that the database gives the value of a column in every write, so that nothing that is written has it: a
 * process of an earlier release, which does not know the column, counts as well.
 */
export function Counted(): PropertyDecorator {
  return (prototype, name) => void counted.set(prototype, (counted.get(prototype) ?? new Set()).add(String(name)));
}

export function countedPropertiesOf(prototype: object): ReadonlySet<string> {
  return counted.get(prototype) ?? new Set();
}

/**
 * Declares a field without a column, and how it follows from a row's columns. A getter would be called with a copy of
 * the row by Type-GraphQL.
 */
export function Derived<Row>(of: (row: Row) => unknown): PropertyDecorator {
  return (prototype, name) => {
    const fields = derived.get(prototype) ?? new Map<string, (row: never) => unknown>();
    derived.set(prototype, fields.set(String(name), of));
  };
}

export function derivedFieldsOf(prototype: object): ReadonlyMap<string, (row: never) => unknown> {
  return derived.get(prototype) ?? new Map<string, (row: never) => unknown>();
}

/**
 * The properties of an entity's class whose columns are read only where they are asked for: sealed ones, their digests,
 * and `Lazy` ones.
 */
export function lazyPropertiesOf(prototype: object): ReadonlySet<string> {
  const sealed = [...sealedFieldsOf(prototype)];
  const digests = sealed.flatMap(([, field]) => Object.keys(field.digests ?? {}));
  return new Set([...sealed.map(([name]) => name), ...digests, ...(lazy.get(prototype) ?? [])]);
}

/** The sealed columns that an entity's class declares, by their properties. */
export function sealedFieldsOf(prototype: object): ReadonlyMap<string, SealedField> {
  return declared.get(prototype) ?? new Map<string, SealedField>();
}

/** The identity under which a row's value is sealed: a seal that is copied into another row does not open. */
export function sealIdentity(table: string, key: readonly string[], suffix = ''): string {
  return `${[table, ...key].join('/')}${suffix}`;
}
