import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { Writer, atPointer, type Context } from '../../platform/graphql/context.js';
import { DRY_RUN } from '../../platform/graphql/dry-run.js';
import type { Caller } from '../../shared/caller.js';
import { Program, type ProgramView } from './program.entity.js';
import type { ProgramService } from './program.service.js';
import { ProgramPatch } from './program.inputs.js';
import { READ_PROGRAM, UPDATE_PROGRAM } from './program.operations.js';
import { Performs } from '../../platform/graphql/performs.js';

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
  @Mutation(() => Program, {
    nullable: true,
    description:
      'Changes the record of the program. `approvals`, `clients`, `checkFunds`, `exactSearch`, `operatorGroups`, `payer`, `retentionYears` and `transfers` always wait for another person.',
  })
  updateProgram(
    @Writer() caller: Caller,
    @Arg('input', () => ProgramPatch) input: ProgramPatch,
    @Arg('dryRun', () => Boolean, DRY_RUN) dryRun: boolean,
  ): Promise<ProgramView> {
    return atPointer('/input', this.service.update(caller, input, dryRun));
  }
}
