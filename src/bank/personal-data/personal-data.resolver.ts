import {
  Arg,
  Mutation,
  Resolver,
  UseMiddleware,
  type MiddlewareInterface,
  type NextFn,
  type ResolverData,
} from 'type-graphql';
import { Writer, atPointer, type Context } from '../../platform/graphql/context.js';
import type { Caller } from '../../shared/caller.js';
import { RevealedPersonalData } from './personal-data.entity.js';
import { RevealInput } from './personal-data.inputs.js';
import type { PersonalDataService } from './personal-data.service.js';
import { REVEAL_PERSONAL_DATA } from './personal-data.operations.js';
import { Performs } from '../../platform/graphql/performs.js';

/** Refuses callers who may not see personal data, and records the attempt, before the input is read. */
export class RevealMiddleware implements MiddlewareInterface<Context> {
  constructor(private readonly service: PersonalDataService) {}

  async use({ args, context: { caller } }: ResolverData<Context>, next: NextFn): Promise<unknown> {
    this.service.allow(caller, (args['input'] as RevealInput).accountId);
    return next();
  }
}

@Resolver(() => RevealedPersonalData)
export class PersonalDataResolver {
  constructor(private readonly service: PersonalDataService) {}

  @Performs(REVEAL_PERSONAL_DATA)
  @Mutation(() => RevealedPersonalData, {
    nullable: true,
    description: 'Shows what is otherwise masked, and records it.',
  })
  @UseMiddleware(RevealMiddleware)
  revealPersonalData(
    @Writer() caller: Caller,
    @Arg('input', () => RevealInput) input: RevealInput,
  ): Promise<RevealedPersonalData> {
    return atPointer('/input', this.service.reveal(caller, input.accountId, input));
  }
}
