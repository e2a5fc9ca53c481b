import { Arg, Mutation, Resolver } from 'type-graphql';
import { Writer, atPointer } from '../../../platform/graphql/context.js';
import { expecting } from '../../../platform/graphql/expected-version.js';
import { payloadOf, type Payload } from '../../../platform/graphql/payload.js';
import { Performs } from '../../../platform/graphql/performs.js';
import type { Caller } from '../../../shared/caller.js';
import { Account, type AccountView } from '../account.entity.js';
import {
  CLOSE_ACCOUNT,
  OPEN_ACCOUNT,
  RESTRICT_ACCOUNT,
  UNRESTRICT_ACCOUNT,
  UPDATE_ACCOUNT,
} from '../account.operations.js';
import type { OpeningService } from '../opening/opening.service.js';
import {
  CloseAccountInput,
  OpenAccountInput,
  RestrictAccountInput,
  UnrestrictAccountInput,
  UpdateAccountInput,
} from './administration.inputs.js';
import type { AccountStep, AdministrationService } from './administration.service.js';

const OpenAccountPayload = payloadOf<AccountView>('openAccount', 'account', Account);
const UpdateAccountPayload = payloadOf<AccountView>('updateAccount', 'account', Account);
const RestrictAccountPayload = payloadOf<AccountView>('restrictAccount', 'account', Account);
const UnrestrictAccountPayload = payloadOf<AccountView>('unrestrictAccount', 'account', Account);
const CloseAccountPayload = payloadOf<AccountView>('closeAccount', 'account', Account);

@Resolver(() => Account)
export class AdministrationResolver {
  constructor(
    private readonly opening: OpeningService,
    private readonly administration: AdministrationService,
  ) {}

  @Performs(OPEN_ACCOUNT)
  @Mutation(() => OpenAccountPayload, {
    nullable: true,
    description: 'Opens an account, which is OPEN with a balance of zero.',
  })
  async openAccount(
    @Writer() caller: Caller,
    @Arg('input', () => OpenAccountInput) { account, dryRun }: OpenAccountInput,
  ): Promise<Payload> {
    const opened = await atPointer('/input/account', this.opening.open(caller, account, dryRun));
    return new OpenAccountPayload(caller, opened);
  }

  @Performs(UPDATE_ACCOUNT)
  @Mutation(() => UpdateAccountPayload, {
    nullable: true,
    description: 'Changes an account. A new time zone counts from then on.',
  })
  async updateAccount(
    @Writer() caller: Caller,
    @Arg('input', () => UpdateAccountInput) { key, patch, expectedVersion, dryRun }: UpdateAccountInput,
  ): Promise<Payload> {
    const changing = this.administration.update(caller, key.accountId, patch, expecting(expectedVersion), dryRun);
    return new UpdateAccountPayload(caller, await atPointer('/input/patch', changing));
  }

  @Performs(RESTRICT_ACCOUNT)
  @Mutation(() => RestrictAccountPayload, {
    nullable: true,
    description: 'Restricts an account: it gets no more holds and cards, and can be posted to.',
  })
  async restrictAccount(
    @Writer() caller: Caller,
    @Arg('input', () => RestrictAccountInput) input: RestrictAccountInput,
  ): Promise<Payload> {
    return new RestrictAccountPayload(caller, await this.take(caller, 'restrict', input));
  }

  @Performs(UNRESTRICT_ACCOUNT)
  @Mutation(() => UnrestrictAccountPayload, {
    nullable: true,
    description: 'Lifts the restriction of an account, which is then OPEN.',
  })
  async unrestrictAccount(
    @Writer() caller: Caller,
    @Arg('input', () => UnrestrictAccountInput) input: UnrestrictAccountInput,
  ): Promise<Payload> {
    return new UnrestrictAccountPayload(caller, await this.take(caller, 'unrestrict', input));
  }

  @Performs(CLOSE_ACCOUNT)
  @Mutation(() => CloseAccountPayload, {
    nullable: true,
    description: 'Closes an empty account for good.',
  })
  async closeAccount(
    @Writer() caller: Caller,
    @Arg('input', () => CloseAccountInput) input: CloseAccountInput,
  ): Promise<Payload> {
    return new CloseAccountPayload(caller, await this.take(caller, 'close', input));
  }

  private take(
    caller: Caller,
    step: AccountStep,
    { key, reason = null, expectedVersion, dryRun }: UnrestrictAccountInput,
  ): Promise<AccountView> {
    return this.administration.take(caller, step, key.accountId, reason, expecting(expectedVersion), dryRun);
  }
}
