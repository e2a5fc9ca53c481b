import { Arg, Ctx, Extensions, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import { Account, type AccountView } from '../account/account.entity.js';
import type { Context } from '../../platform/graphql/context.js';
import { MAX_HITS, SearchHit } from './search.entity.js';
import { SEARCHED } from './search.inputs.js';
import type { SearchService } from './search.service.js';
import { READ_ACCOUNTS } from '../account/account.operations.js';
import { SEARCH } from './search.operations.js';
import { Performs } from '../../platform/graphql/performs.js';

@Resolver(() => SearchHit)
export class SearchResolver {
  constructor(private readonly service: SearchService) {}

  @Extensions({ mostRecords: MAX_HITS })
  @Performs(SEARCH)
  @Query(() => [SearchHit], {
    nullable: true,
    description: `The accounts, then the cards, then the customers that a text names; at most ${MAX_HITS}.`,
  })
  search(
    @Arg('text', () => String, { description: SEARCHED }) text: string,
    @Ctx() { caller }: Context,
  ): Promise<SearchHit[]> {
    return this.service.find(caller, { text });
  }

  @Performs(READ_ACCOUNTS)
  @FieldResolver(() => Account, {
    nullable: true,
    description: 'The account that is meant; null if the customer has none.',
  })
  account(@Root() hit: Readonly<SearchHit>, @Ctx() { caller }: Context): Promise<AccountView | null> {
    return this.service.accountOf(caller, hit);
  }
}
