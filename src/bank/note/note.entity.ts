import { Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType } from 'type-graphql';
import { DataClasses } from '../../platform/repository/data-classes.js';
import { Sealed } from '../../platform/repository/declarations.js';
import { DateTimeISO, UUID } from '../../platform/scalars/scalars.js';

/** The sealed part of a note, since people may be named in it. */
export interface NoteSecrets {
  readonly text: string;
}

/**
 * The note of an operator about an account, one of its transactions, or a customer. It is never changed, and deleted
 * only when the personal data of its customer is erased. Customers never read it.
 */
@Entity({ tableName: 'note' })
@DataClasses<Note>({
  kept: 'as long as the account; notes about a customer until the customer is erased',
  internal: ['program', 'createdAt'],
  identifier: ['noteId', 'accountId', 'transactionId', 'customerId', 'subject', 'clientId'],
  personal: { sealed: 'sealed' },
})
@Index({ properties: ['program', 'accountId', 'createdAt', 'noteId'] })
@Index({ properties: ['program', 'customerId', 'createdAt', 'noteId'] })
@ObjectType({ description: "An operator's note, which customers never read.", simpleResolvers: true })
export class Note {
  @PrimaryKey({ type: 'uuid' })
  @Field(() => UUID, { description: 'The id that the gateway assigned to the note.' })
  noteId!: string;

  @Property({ type: 'text' }) program!: string;

  @Property({ type: 'text', nullable: true })
  @Field(() => ID, {
    nullable: true,
    description: 'The account, such as `demo-1001`; null for a note about a customer.',
  })
  accountId!: string | null;

  @Property({ type: 'text', nullable: true })
  @Field(() => ID, {
    nullable: true,
    description: 'The transaction, such as `tx-20260331-7`; null if the note is about no single one.',
  })
  transactionId!: string | null;

  @Property({ type: 'uuid', nullable: true })
  @Field(() => UUID, { nullable: true, description: 'The customer; null for a note about an account.' })
  customerId!: string | null;

  // Sealed, and opened when it is asked for, which fails where the key is gone: a resolver's failure is told.
  @Field(() => String, {
    simple: false,
    description: 'The text of the note, such as `Called back, and agreed to the refund.`.',
  })
  text!: string;

  @Property({ type: 'text' })
  @Field(() => String, { description: 'The author of the note: `sub` of the access token.' })
  subject!: string;

  @Property({ type: 'text' })
  @Field(() => String, { description: 'The client of the author: `client_id` of the access token.' })
  clientId!: string;

  @Property({ type: 'datetime', length: 3 })
  @Field(() => DateTimeISO, { description: 'The time at which the note was written.' })
  createdAt!: Date;

  /** `NoteSecrets`: the text. */
  @Sealed({ as: 'secrets', shows: ['text'] })
  @Property({ type: 'blob' })
  sealed!: Buffer;
}

/** A note as it is shown. */
export type NoteView = Readonly<Omit<Note, 'program' | 'sealed' | 'createdAt'>> & { readonly createdAt: string };

/** A note as it is read. */
export type NoteRead = NoteView & Readonly<Pick<Note, 'program'>> & { readonly secrets: NoteSecrets };
