import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import type { Gateway } from '../../src/app/gateway.js';
import { NOUNS } from '../../src/app/nouns.js';
import { problemsOf } from '../../src/cli/data-check.js';
import { openDatabase } from '../../src/platform/database/orm.js';
import { DataClasses } from '../../src/platform/repository/data-classes.js';
import { Sealed } from '../../src/platform/repository/declarations.js';

@Entity({ tableName: 'visitor' })
@DataClasses<Visitor>({
  kept: 'for these tests',
  identifier: ['visitorId'],
  internal: ['visits', 'town'],
  personal: { name: 'in the clear: ', town: 'masked: the first letter', address: 'masked: the town', visits: 'sealed' },
})
class Visitor {
  @PrimaryKey({ type: 'uuid' }) visitorId!: string;
  @Property({ type: 'text' }) name!: string;
  @Property({ type: 'text' }) town!: string;
  @Property({ type: 'text' }) telephone!: string;
  @Sealed({ as: 'letters' })
  @Property({ type: 'blob' })
  address!: Buffer;
  visits!: number;
}

@Entity({ tableName: 'nobody' })
class Nobody {
  @PrimaryKey({ type: 'uuid' }) nobodyId!: string;
}

/** The problems of the classes of two entities that are made for the test, and of those of the nouns. */
export async function problems(
  _gateway: Gateway,
  url: string,
): Promise<Record<'visitor' | 'nobody' | 'nouns', string[]>> {
  const entities = [...NOUNS.entities, Visitor, Nobody];
  const database = await openDatabase({ url, poolSize: 1, entities, applicationName: 'tillgate-test' });
  try {
    const of = (entity: unknown) => problemsOf(database.orm.getMetadata().get(entity as new () => object));
    return { visitor: of(Visitor), nobody: of(Nobody), nouns: NOUNS.entities.flatMap(of) };
  } finally {
    await database.close();
  }
}
