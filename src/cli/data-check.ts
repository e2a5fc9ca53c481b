import type { EntityMetadata } from '@mikro-orm/core';
import {
  inventoryOf,
  PLAIN_CLASSES,
  PROTECTED_CLASSES,
  type DataClass,
  type DataInventory,
  type Storage,
} from '../platform/repository/data-classes.js';
import { declarationsOf } from '../platform/repository/declarations.js';
import { isColumn } from '../platform/repository/table.js';

/** A class, and for protected ones how the column is stored. */
type Declared = readonly [DataClass, Storage?];

/** The classes that an inventory gives each property: one, if nothing is wrong. */
export function classesOfColumns(inventory: DataInventory): Map<string, Declared[]> {
  const classes = new Map<string, Declared[]>();
  const add = (property: string, declared: Declared) =>
    classes.set(property, [...(classes.get(property) ?? []), declared]);
  for (const name of PLAIN_CLASSES) {
    for (const property of inventory[name] ?? []) add(property, [name]);
  }
  for (const name of PROTECTED_CLASSES) {
    const stored = (inventory[name] ?? {}) as Readonly<Record<string, Storage>>;
    for (const [property, storage] of Object.entries(stored)) add(property, [name, storage]);
  }
  return classes;
}

/** Finds the problems of the declared classes of a table, each as a sentence that says what to do. */
export function problemsOf(meta: EntityMetadata): string[] {
  const prototype = meta.prototype as object;
  const inventory = inventoryOf(prototype);
  if (!inventory) return [`${meta.tableName} declares no classes: add @DataClasses to ${meta.className}.`];
  const { sealed } = declarationsOf(prototype);
  const digests = [...sealed.values()].flatMap(field => Object.keys(field.digests ?? {}));
  const classes = classesOfColumns(inventory);
  const properties = new Set(meta.props.filter(isColumn).map(({ name, embedded }) => embedded?.[0] ?? name));
  const problems = [...classes.keys()]
    .filter(property => !properties.has(property))
    .map(property => `${meta.className}.${property} has no column: remove it from @DataClasses.`);
  for (const property of properties) {
    const name = `${meta.className}.${property}`;
    const [[, storage] = [], ...more] = classes.get(property) ?? [];
    const isSealed = sealed.has(property);
    if (!classes.has(property)) problems.push(`${name} has no class: name it in @DataClasses (see docs/data.md).`);
    else if (more.length > 0) problems.push(`${name} has several classes: leave it in one.`);
    else if (isSealed !== (storage === 'sealed')) {
      problems.push(`${name} ${isSealed ? 'is' : 'is not'} @Sealed: say in @DataClasses how it is stored.`);
    } else if (digests.includes(property) && !storage?.startsWith('hashed: ')) {
      problems.push(`${name} is a digest of what is sealed: say in @DataClasses that it is hashed.`);
    } else if (storage?.endsWith(': ')) {
      problems.push(`${name} is stored '${storage.trim()}' without a reason: give one in @DataClasses.`);
    }
  }
  return problems;
}
