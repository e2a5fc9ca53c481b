import { Ctx, FieldResolver, ID, Resolver, Root } from 'type-graphql';
import type { Context } from '../platform/graphql/context.js';
import { Statement, type StatementView } from './statement.entity.js';
import type { StatementService } from './statement.service.js';

@Resolver(() => Statement)
export class StatementCorrectionResolver {
  constructor(private readonly service: StatementService) {}

  @FieldResolver(() => ID, {
    nullable: true,
    description:
      'The document that corrects this one, such as `5b0e8a53-0c1f-4a2e-9d44-7f1c9a523d60`; null while there is none. Needs the scope `statements.read`.',
  })
  correctedByStatementId(@Root() statement: StatementView, @Ctx() { caller }: Context): Promise<string | null> {
    return this.service.correctionOf(caller, statement);
  }
}
