import { Arg, Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { connectionOf, type Connection } from '../../platform/graphql/connection.js';
import { Writer, atPointer, type Context } from '../../platform/graphql/context.js';
import { CursorArgs } from '../../platform/graphql/page-args.js';
import { payloadOf, type Payload } from '../../platform/graphql/payload.js';
import { Performs } from '../../platform/graphql/performs.js';
import type { Caller } from '../../shared/caller.js';
import { Note, type NoteView } from './note.entity.js';
import { AddNoteInput, NoteFilter } from './note.inputs.js';
import { ADD_NOTE, READ_NOTES } from './note.operations.js';
import type { NoteService } from './note.service.js';

const NoteConnection = connectionOf<NoteView>(Note);
const AddNotePayload = payloadOf<NoteView>('addNote', 'note', Note);

@Resolver(() => Note)
export class NoteResolver {
  constructor(private readonly service: NoteService) {}

  @Performs(READ_NOTES)
  @Query(() => NoteConnection, {
    nullable: true,
    description: 'The notes about an account and its transactions, or about a customer, the newest first.',
  })
  notes(
    @Arg('filter', () => NoteFilter) filter: NoteFilter,
    @Args(() => CursorArgs) page: CursorArgs,
    @Ctx() { caller }: Context,
  ): Connection<NoteView> {
    return new NoteConnection(this.service.list(caller, page, filter));
  }

  @Performs(ADD_NOTE)
  @Mutation(() => AddNotePayload, {
    nullable: true,
    description: 'Writes a note, which is never changed. Erasing a customer deletes the notes about the customer.',
  })
  async addNote(@Writer() caller: Caller, @Arg('input', () => AddNoteInput) { note }: AddNoteInput): Promise<Payload> {
    return new AddNotePayload(caller, await atPointer('/input/note', this.service.add(caller, note)));
  }
}
