import { Field, ID, Int } from 'type-graphql';
import { Input } from '../../platform/input/input.js';
import { Between, Matches, Text } from '../../platform/input/rules.js';
import { UUID } from '../../platform/scalars/scalars.js';
import { BANK_ID, BANK_ID_FORM } from '../../shared/ids.js';
import { MAX_PAGE_SIZE } from '../../shared/page.js';

/** The longest note. */
export const MAX_NOTE_CHARACTERS = 2000;

/** An account, one of its transactions, or a customer. */
@Input('The subject of a note: `customerId`, or `accountId` with or without `transactionId`.')
export class NoteFilter {
  @Matches(BANK_ID, BANK_ID_FORM)
  @Field(() => ID, { nullable: true, description: 'The account, such as `demo-1001`. Send this or `customerId`.' })
  accountId?: string | null;

  @Matches(BANK_ID, BANK_ID_FORM)
  @Field(() => ID, { nullable: true, description: 'A transaction of the account, such as `tx-20260331-7`.' })
  transactionId?: string | null;

  @Field(() => UUID, { nullable: true, description: 'The customer. Send this or `accountId`.' })
  customerId?: string | null;
}

@Input('A new note.')
export class NoteInput extends NoteFilter {
  @Text(1, MAX_NOTE_CHARACTERS)
  @Field(() => String, { description: `The text, 1 to ${MAX_NOTE_CHARACTERS} characters. It is stored encrypted.` })
  text!: string;
}

@Input('The note that is written.')
export class AddNoteInput {
  @Field(() => NoteInput, { description: 'The new note.' })
  note!: NoteInput;
}

@Input('The notes to list, and the page of them.')
export class NoteQuery extends NoteFilter {
  @Text(1, 255)
  @Field(() => String, {
    nullable: true,
    description: 'The cursor of the last answer: notes after it. From the newest one when absent.',
  })
  after?: string | null;

  @Between(1, Number.MAX_SAFE_INTEGER)
  @Field(() => Int, {
    nullable: true,
    description: `The maximum number of notes; more than ${MAX_PAGE_SIZE} means ${MAX_PAGE_SIZE}.`,
  })
  limit?: number | null;
}
