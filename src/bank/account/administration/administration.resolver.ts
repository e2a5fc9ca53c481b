import { Arg, ID, Int, Mutation, Resolver } from 'type-graphql';
import { Writer, atPointer } from '../../../platform/graphql/context.js';
import { EXPECTED_VERSION, expecting } from '../../../platform/graphql/expected-version.js';
import type { Caller } from '../../../shared/caller.js';
import { ACCOUNT_ID, Account, type AccountView } from '../account.entity.js';
import type { OpeningService } from '../opening/opening.service.js';
import { AccountInput, AccountPatch, REASON } from './administration.inputs.js';
import type { AdministrationService } from './administration.service.js';
import {
  CLOSE_ACCOUNT,
  OPEN_ACCOUNT,
  RESTRICT_ACCOUNT,
  UNRESTRICT_ACCOUNT,
  UPDATE_ACCOUNT,
} from '../account.operations.js';
import { Performs } from '../../../platform/graphql/performs.js';

const ACCOUNT = { description: ACCOUNT_ID };

@Resolver(() => Account)
export class AdministrationResolver {
  constructor(
    private readonly opening: OpeningService,
    private readonly administration: AdministrationService,
  ) {}

  @Performs(OPEN_ACCOUNT)
  @Mutation(() => Account, {
    nullable: true,
    description: 'Opens an account, which is OPEN with a balance of zero.',
  })
  openAccount(@Writer() caller: Caller, @Arg('input', () => AccountInput) input: AccountInput): Promise<AccountView> {
    return atPointer('/input', this.opening.open(caller, input));
  }

  @Performs(UPDATE_ACCOUNT)
  @Mutation(() => Account, {
    nullable: true,
    description: 'Changes an account. A new time zone counts from then on.',
  })
  updateAccount(
    @Writer() caller: Caller,
    @Arg('accountId', () => ID, ACCOUNT) accountId: string,
    @Arg('input', () => AccountPatch)
    input: AccountPatch,
    @Arg('expectedVersion', () => Int, EXPECTED_VERSION) expectedVersion: number | null = null,
  ): Promise<AccountView> {
    return atPointer('/input', this.administration.update(caller, accountId, input, expecting(expectedVersion)));
  }

  @Performs(RESTRICT_ACCOUNT)
  @Mutation(() => Account, {
    nullable: true,
    description: 'Restricts an account: it gets no more holds and cards, and can be posted to.',
  })
  restrictAccount(
    @Writer() caller: Caller,
    @Arg('accountId', () => ID, ACCOUNT) accountId: string,
    @Arg('reason', () => String, { description: REASON }) reason: string,
    @Arg('expectedVersion', () => Int, EXPECTED_VERSION) expectedVersion: number | null = null,
  ): Promise<AccountView> {
    return this.administration.take(caller, 'restrict', accountId, reason, expecting(expectedVersion));
  }

  @Performs(UNRESTRICT_ACCOUNT)
  @Mutation(() => Account, {
    nullable: true,
    description: `Lifts the restriction of an account, which is then OPEN.`,
  })
  unrestrictAccount(
    @Writer() caller: Caller,
    @Arg('accountId', () => ID, ACCOUNT) accountId: string,
    @Arg('reason', () => String, { nullable: true, description: REASON }) reason: string | null,
    @Arg('expectedVersion', () => Int, EXPECTED_VERSION) expectedVersion: number | null = null,
  ): Promise<AccountView> {
    return this.administration.take(caller, 'unrestrict', accountId, reason, expecting(expectedVersion));
  }

  @Performs(CLOSE_ACCOUNT)
  @Mutation(() => Account, {
    nullable: true,
    description: 'Closes an empty account for good.',
  })
  closeAccount(
    @Writer() caller: Caller,
    @Arg('accountId', () => ID, ACCOUNT) accountId: string,
    @Arg('reason', () => String, { description: REASON }) reason: string,
    @Arg('expectedVersion', () => Int, EXPECTED_VERSION) expectedVersion: number | null = null,
  ): Promise<AccountView> {
    return this.administration.take(caller, 'close', accountId, reason, expecting(expectedVersion));
  }
}
