import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { Writer, atPointer, type Context } from '../../platform/graphql/context.js';
import { expecting } from '../../platform/graphql/expected-version.js';
import { payloadOf, type Payload } from '../../platform/graphql/payload.js';
import type { Caller } from '../../shared/caller.js';
import { Program, type ProgramView } from './program.entity.js';
import type { ProgramService } from './program.service.js';
import { UpdateProgramInput } from './program.inputs.js';
import { READ_PROGRAM, UPDATE_PROGRAM } from './program.operations.js';
import { Performs } from '../../platform/graphql/performs.js';

const UpdateProgramPayload = payloadOf<ProgramView>('updateProgram', 'program', Program);

@Resolver(() => Program)
export class ProgramResolver {
  constructor(private readonly service: ProgramService) {}

  @Performs(READ_PROGRAM)
  @Query(() => Program, {
    nullable: true,
    description: "The caller's own program as the issuer of documents.",
  })
  program(@Ctx() { caller }: Context): Promise<ProgramView | null> {
    return this.service.find(caller);
  }

  @Performs(UPDATE_PROGRAM)
  @Mutation(() => UpdateProgramPayload, {
    nullable: true,
    description:
      'Changes the record of the program. `approvals`, `clients`, `checkFunds`, `exactSearch`, `operatorGroups`, `payer`, `retentionYears` and `transfers` always wait for another person.',
  })
  async updateProgram(
    @Writer() caller: Caller,
    @Arg('input', () => UpdateProgramInput) { patch, expectedVersion, dryRun }: UpdateProgramInput,
  ): Promise<Payload> {
    const updating = this.service.update(caller, patch, expecting(expectedVersion), dryRun);
    return new UpdateProgramPayload(caller, await atPointer('/input/patch', updating));
  }
}
