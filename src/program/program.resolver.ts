import { Ctx, Query, Resolver } from 'type-graphql';
import type { Context } from '../platform/graphql/context.js';
import { Program, type ProgramView } from './program.entity.js';
import type { ProgramService } from './program.service.js';
import { READ_PROGRAM } from './program.operations.js';
import { Performs } from '../platform/graphql/performs.js';

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
}
