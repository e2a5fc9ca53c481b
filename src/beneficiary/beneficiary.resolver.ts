import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, ID, Info, Mutation, Resolver, Root } from 'type-graphql';
import { Account, type AccountView } from '../account/account.entity.js';
import { askedFor } from '../platform/graphql/asked-for.js';
import { connectionOf, type Connection } from '../platform/graphql/connection.js';
import { Writer, type Context } from '../platform/graphql/context.js';
import { OffsetArgs } from '../platform/graphql/page-args.js';
import { UUID } from '../platform/graphql/scalars.js';
import type { Caller } from '../shared/caller.js';
import { Beneficiary, type BeneficiaryView } from './beneficiary.entity.js';
import { BeneficiaryInput, BeneficiaryPatch } from './beneficiary.inputs.js';
import type { BeneficiaryService } from './beneficiary.service.js';

const secretsAskedFor = askedFor('dateOfBirth', 'addresses', 'emails', 'phones');
const BeneficiaryConnection = connectionOf<BeneficiaryView>(Beneficiary);

@Resolver(() => Account)
export class BeneficiaryResolver {
  constructor(private readonly service: BeneficiaryService) {}

  @FieldResolver(() => BeneficiaryConnection, {
    description: 'Who receives the account when its owner dies, in the order they were added.',
  })
  beneficiaries(
    @Root() account: AccountView,
    @Args(() => OffsetArgs) page: OffsetArgs,
    @Ctx() { caller }: Context,
    @Info() info: GraphQLResolveInfo,
  ): Connection<BeneficiaryView> {
    return new BeneficiaryConnection(
      () => this.service.slice(caller, account, page, secretsAskedFor(info)),
      () => this.service.count(caller, account),
    );
  }

  @FieldResolver(() => Beneficiary, {
    nullable: true,
    description: 'One beneficiary of the account; null when there is none.',
  })
  beneficiary(
    @Root() account: AccountView,
    @Arg('beneficiaryId', () => UUID, { description: 'The beneficiary.' }) beneficiaryId: string,
    @Ctx() { caller }: Context,
  ): Promise<BeneficiaryView | null> {
    return this.service.find(caller, account, beneficiaryId);
  }

  @Mutation(() => Beneficiary, { description: 'Adds a beneficiary to an account.' })
  addBeneficiary(
    @Writer() caller: Caller,
    @Arg('accountId', () => ID, { description: 'The account.' }) accountId: string,
    @Arg('input', () => BeneficiaryInput, { description: 'The new beneficiary.' }) input: BeneficiaryInput,
  ): Promise<BeneficiaryView> {
    return this.service.add(caller, accountId, input);
  }

  @Mutation(() => Beneficiary, { description: 'Changes a beneficiary: absent fields stay as they are.' })
  updateBeneficiary(
    @Writer() caller: Caller,
    @Arg('accountId', () => ID, { description: 'The account.' }) accountId: string,
    @Arg('beneficiaryId', () => UUID, { description: 'The beneficiary.' }) beneficiaryId: string,
    @Arg('input', () => BeneficiaryPatch, { description: 'What changes.' }) input: BeneficiaryPatch,
  ): Promise<BeneficiaryView> {
    return this.service.update(caller, accountId, beneficiaryId, input);
  }

  @Mutation(() => Beneficiary, { description: 'Deletes a beneficiary and gives it back as it was.' })
  deleteBeneficiary(
    @Writer() caller: Caller,
    @Arg('accountId', () => ID, { description: 'The account.' }) accountId: string,
    @Arg('beneficiaryId', () => UUID, { description: 'The beneficiary.' }) beneficiaryId: string,
  ): Promise<BeneficiaryView> {
    return this.service.delete(caller, accountId, beneficiaryId);
  }
}
