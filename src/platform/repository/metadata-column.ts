import { Index, Property } from '@mikro-orm/decorators/legacy';
import { Field } from 'type-graphql';
import type { MetadataChange } from '../../shared/metadata.js';
import { MetadataScalar } from '../scalars/scalars.js';

/** Declares the column `metadata` of an entity, and its field. */
export function MetadataColumn(): PropertyDecorator {
  return (prototype, name) => {
    Property({ type: 'json', defaultRaw: `'{}'` })(prototype, String(name));
    Field(() => MetadataScalar, { description: 'Short texts of your own by their keys; never personal data.' })(
      prototype,
      String(name),
    );
  };
}

/** The column whose value the records share among which metadata is looked for. */
type Owner = 'program' | 'account_id';

/** Records by pairs of a key and a text. Those of one owner are found without those of others. */
export function MetadataIndex(table: string, owner: Owner): ClassDecorator {
  const expression = `create index "${table}_metadata" on "${table}" using gin ((${ofOwner(owner)}) jsonb_path_ops) where metadata <> '{}'`;
  return Index({ name: `${table}_metadata`, expression }) as ClassDecorator;
}

/**
 * The condition, as SQL, that a record of an owner has these pairs. `owned` and `wanted` are SQL for the owner and for
 * the pairs.
 */
export function metadataCondition(owner: Owner, owned: string, wanted: string): string {
  return `metadata <> '{}' AND ${ofOwner(owner)} @> jsonb_build_object(${owned}::text, ${wanted}::jsonb)`;
}

/** The pairs of a filter as `metadataCondition` takes them; null where it has none. */
export function wantedPairs(filter: MetadataChange | null | undefined): string | null {
  return filter && Object.keys(filter).length > 0 ? JSON.stringify(filter) : null;
}

function ofOwner(owner: Owner): string {
  return `jsonb_set('{}', array[${owner}], metadata)`;
}
