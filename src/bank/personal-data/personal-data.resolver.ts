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
import { payloadOf, type Payload } from '../../platform/graphql/payload.js';
import type { Caller } from '../../shared/caller.js';
import { RevealedPersonalData } from './personal-data.entity.js';
import { RevealPersonalDataInput } from './personal-data.inputs.js';
import type { PersonalDataService } from './personal-data.service.js';
import { REVEAL_PERSONAL_DATA } from './personal-data.operations.js';
import { Performs } from '../../platform/graphql/performs.js';

/** Refuses callers who may not see personal data, and records the attempt, before the input is read. */
export class RevealMiddleware implements MiddlewareInterface<Context> {
  constructor(private readonly service: PersonalDataService) {}

  async use({ args, context: { caller } }: ResolverData<Context>, next: NextFn): Promise<unknown> {
    this.service.allow(caller, (args['input'] as RevealPersonalDataInput).accountId);
    return next();
  }
}

const RevealPersonalDataPayload = payloadOf<RevealedPersonalData>(
  'revealPersonalData',
  'personalData',
  RevealedPersonalData,
  'The personal data, with nothing masked.',
);

@Resolver(() => RevealedPersonalData)
export class PersonalDataResolver {
  constructor(private readonly service: PersonalDataService) {}

  @Performs(REVEAL_PERSONAL_DATA)
  @Mutation(() => RevealPersonalDataPayload, {
    nullable: true,
    description: 'Shows what is otherwise masked, and records it.',
  })
  @UseMiddleware(RevealMiddleware)
  async revealPersonalData(
    @Writer() caller: Caller,
    @Arg('input', () => RevealPersonalDataInput) input: RevealPersonalDataInput,
  ): Promise<Payload> {
    const revealed = await atPointer('/input', this.service.reveal(caller, input.accountId, input));
    return new RevealPersonalDataPayload(caller, revealed);
  }
}
