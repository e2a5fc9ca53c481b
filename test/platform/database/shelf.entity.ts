import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

/** An entity for these tests alone. */
@Entity()
export class Shelf {
  @PrimaryKey({ type: 'text' }) shelfId!: string;
  @Property({ type: 'text' }) label!: string;
  @Property({ type: 'datetime', length: 3, nullable: true }) filledAt: Date | null = null;
}
