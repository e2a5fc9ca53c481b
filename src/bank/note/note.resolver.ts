import { Arg, Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { connectionOf, type Connection } from '../../platform/graphql/connection.js';
import { Writer, atPointer, type Context } from '../../platform/graphql/context.js';
import { CursorArgs } from '../../platform/graphql/page-args.js';
import { Performs } from '../../platform/graphql/performs.js';
import type { Caller } from '../../shared/caller.js';
import { Note, type NoteView } from './note.entity.js';
import { NoteFilter, NoteInput } from './note.inputs.js';
import { ADD_NOTE, READ_NOTES } from './note.operations.js';
import type { NoteService } from './note.service.js';

const NoteConnection = connectionOf<NoteView>(Note);

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
  @Mutation(() => Note, {
    nullable: true,
    description: 'Writes a note, which is never changed. Erasing a customer deletes the notes about the customer.',
  })
  addNote(@Writer() caller: Caller, @Arg('input', () => NoteInput) input: NoteInput): Promise<NoteView> {
    return atPointer('/input', this.service.add(caller, input));
  }
}
