import { Ctx, FieldResolver, ID, Resolver, Root } from 'type-graphql';
import type { Context } from '../../platform/graphql/context.js';
import { Statement, type StatementView } from './statement.entity.js';
import type { StatementService } from './statement.service.js';
import { READ_STATEMENTS } from './statement.operations.js';
import { Performs } from '../../platform/graphql/performs.js';

@Resolver(() => Statement)
export class StatementCorrectionResolver {
  constructor(private readonly service: StatementService) {}

  @Performs(READ_STATEMENTS)
  @FieldResolver(() => Statement, {
    nullable: true,
    description: 'The document that this one corrects.',
  })
  async corrects(@Root() statement: StatementView, @Ctx() { caller }: Context): Promise<StatementView | null> {
    caller.require(READ_STATEMENTS);
    const { correctsStatementId } = statement;
    return correctsStatementId === null ? null : this.service.find(caller, statement, correctsStatementId);
  }

  @Performs(READ_STATEMENTS)
  @FieldResolver(() => Statement, {
    nullable: true,
    description: 'The document that corrects this one.',
  })
  async correctedBy(@Root() statement: StatementView, @Ctx() { caller }: Context): Promise<StatementView | null> {
    const correction = await this.service.correctionOf(caller, statement);
    return correction === null ? null : this.service.find(caller, statement, correction);
  }

  @Performs(READ_STATEMENTS)
  @FieldResolver(() => ID, {
    nullable: true,
    description: 'The id of the document that corrects this one, such as `5b0e8a53-0c1f-4a2e-9d44-7f1c9a523d60`.',
  })
  correctedByStatementId(@Root() statement: StatementView, @Ctx() { caller }: Context): Promise<string | null> {
    return this.service.correctionOf(caller, statement);
  }
}
