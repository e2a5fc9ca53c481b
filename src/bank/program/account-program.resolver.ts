import { Ctx, FieldResolver, Resolver } from 'type-graphql';
import { Account } from '../account/account.entity.js';
import type { Context } from '../../platform/graphql/context.js';
import { Performs } from '../../platform/graphql/performs.js';
import { READ_PROGRAM } from './program.operations.js';
import { Program, type ProgramView } from './program.entity.js';
import type { ProgramService } from './program.service.js';

@Resolver(() => Account)
export class AccountProgramResolver {
  constructor(private readonly programs: ProgramService) {}

  @Performs(READ_PROGRAM)
  @FieldResolver(() => Program, {
    nullable: true,
    description: 'The program that the account belongs to.',
  })
  program(@Ctx() { caller }: Context): Promise<ProgramView | null> {
    // A caller sees accounts of its own program alone.
    return this.programs.find(caller);
  }
}
