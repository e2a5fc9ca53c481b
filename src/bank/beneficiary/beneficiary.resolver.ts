import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, Info, Mutation, Resolver, Root } from 'type-graphql';
import { Account, type AccountView } from '../account/account.entity.js';
import { connectionOf, type Connection } from '../../platform/graphql/connection.js';
import { expecting } from '../../platform/graphql/expected-version.js';
import { Writer, atPointer, type Context } from '../../platform/graphql/context.js';
import { CursorArgs } from '../../platform/graphql/page-args.js';
import { payloadOf, type Payload } from '../../platform/graphql/payload.js';
import { selects } from '../../platform/graphql/selects.js';
import { UuidArg } from '../../platform/graphql/uuid-arg.js';
import type { Caller } from '../../shared/caller.js';
import { BENEFICIARY_SECRETS, Beneficiary, type BeneficiaryView } from './beneficiary.entity.js';
import { AddBeneficiaryInput, DeleteBeneficiaryInput, UpdateBeneficiaryInput } from './beneficiary.inputs.js';
import { MAX_BENEFICIARIES } from './beneficiary.errors.js';
import { PersonName } from '../person/person.entity.js';
import { nameOf } from './beneficiary.record.js';
import type { BeneficiaryService } from './beneficiary.service.js';
import {
  ADD_BENEFICIARY,
  DELETE_BENEFICIARY,
  READ_BENEFICIARIES,
  UPDATE_BENEFICIARY,
} from './beneficiary.operations.js';
import { Performs } from '../../platform/graphql/performs.js';

const BENEFICIARY_ID = {
  description: 'The id that the gateway assigned.',
};
const selectsSecrets = selects(...BENEFICIARY_SECRETS);
const BeneficiaryConnection = connectionOf<BeneficiaryView>(Beneficiary);
const AddBeneficiaryPayload = payloadOf<BeneficiaryView>('addBeneficiary', 'beneficiary', Beneficiary);
const UpdateBeneficiaryPayload = payloadOf<BeneficiaryView>('updateBeneficiary', 'beneficiary', Beneficiary);
const DeleteBeneficiaryPayload = payloadOf<BeneficiaryView>('deleteBeneficiary', 'beneficiary', Beneficiary);
export const BENEFICIARY_PAYLOADS = [AddBeneficiaryPayload, UpdateBeneficiaryPayload, DeleteBeneficiaryPayload];

@Resolver(() => Account)
export class BeneficiaryResolver {
  constructor(private readonly service: BeneficiaryService) {}

  @Performs(READ_BENEFICIARIES)
  @FieldResolver(() => BeneficiaryConnection, {
    nullable: true,
    description: `The beneficiaries, in the order in which they were added; at most ${MAX_BENEFICIARIES}.`,
  })
  beneficiaries(
    @Root() account: AccountView,
    @Args(() => CursorArgs) page: CursorArgs,
    @Ctx() { caller }: Context,
    @Info() info: GraphQLResolveInfo,
  ): Connection<BeneficiaryView> {
    return new BeneficiaryConnection(this.service.list(caller, account, page, { secrets: selectsSecrets(info) }));
  }

  @Performs(READ_BENEFICIARIES)
  @FieldResolver(() => Beneficiary, {
    nullable: true,
    description: 'The beneficiary with this id; null if there is none.',
  })
  beneficiary(
    @Root() account: AccountView,
    @UuidArg('beneficiaryId', BENEFICIARY_ID) beneficiaryId: string,
    @Ctx() { caller }: Context,
  ): Promise<BeneficiaryView | null> {
    return this.service.find(caller, account, beneficiaryId);
  }

  @Performs(ADD_BENEFICIARY)
  @Mutation(() => AddBeneficiaryPayload, {
    nullable: true,
    description: 'Adds a beneficiary at the end of the list.',
  })
  async addBeneficiary(
    @Writer() caller: Caller,
    @Arg('input', () => AddBeneficiaryInput) { accountId, beneficiary, dryRun }: AddBeneficiaryInput,
  ): Promise<Payload> {
    const adding = this.service.add(caller, accountId, beneficiary, dryRun);
    return new AddBeneficiaryPayload(caller, await atPointer('/input/beneficiary', adding));
  }

  @Performs(UPDATE_BENEFICIARY)
  @Mutation(() => UpdateBeneficiaryPayload, {
    nullable: true,
    description: 'Changes a beneficiary, and returns it as it is then.',
  })
  async updateBeneficiary(
    @Writer() caller: Caller,
    @Arg('input', () => UpdateBeneficiaryInput) { key, patch, expectedVersion, dryRun }: UpdateBeneficiaryInput,
  ): Promise<Payload> {
    const { accountId, beneficiaryId } = key;
    const change = { beneficiaryId, patch, ...expecting(expectedVersion) };
    const updating = this.service.update(caller, accountId, change, dryRun);
    return new UpdateBeneficiaryPayload(caller, await atPointer('/input/patch', updating));
  }

  @Performs(DELETE_BENEFICIARY)
  @Mutation(() => DeleteBeneficiaryPayload, {
    nullable: true,
    description: 'Deletes a beneficiary, and returns it as it was.',
  })
  async deleteBeneficiary(
    @Writer() caller: Caller,
    @Arg('input', () => DeleteBeneficiaryInput) { key, expectedVersion, dryRun }: DeleteBeneficiaryInput,
  ): Promise<Payload> {
    const { accountId, beneficiaryId } = key;
    const named = { beneficiaryId, ...expecting(expectedVersion) };
    return new DeleteBeneficiaryPayload(caller, await this.service.delete(caller, accountId, named, dryRun));
  }
}

@Resolver(() => Beneficiary)
export class BeneficiaryNameResolver {
  @FieldResolver(() => PersonName, { description: 'The name of the person or the organisation.' })
  name(@Root() beneficiary: BeneficiaryView): PersonName {
    return nameOf(beneficiary);
  }
}

@Resolver(() => PersonName)
export class OrganizationResolver {
  @FieldResolver(() => String, {
    nullable: true,
    description: 'The name of a trust, a charity or an estate, the same as `last`; null for people.',
  })
  organization(@Root() { organization = null }: PersonName): string | null {
    return organization;
  }
}
