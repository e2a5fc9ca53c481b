import { Field, Float, ID, Int } from 'type-graphql';
import { Reason } from '../account/account.service.js';
import { DryRun } from '../../platform/graphql/flag.js';
import { namesRecord } from '../../platform/graphql/record-name.js';
import { Input } from '../../platform/input/input.js';
import { ListedMetadata, NewMetadata } from '../../platform/input/metadata.js';
import type { MetadataChange } from '../../shared/metadata.js';
import { Between, EachMatches, Matches, Size, Text } from '../../platform/input/rules.js';
import { DateTimeISO, Decimal } from '../../platform/scalars/scalars.js';
import { BANK_ID, BANK_ID_FORM, pathId } from '../../shared/ids.js';
import { MAX_PAGE_SIZE } from '../../shared/page.js';
import { MAX_DESCRIPTION } from '../transaction/ledger.service.js';
import { TransferStatus } from './transfer.entity.js';

/** The transactions of a transfer have its id with an ending behind it. */
export const MAX_TRANSFER_ID = 56;
export const TRANSFER_ID = pathId(MAX_TRANSFER_ID);
const TRANSFER_ID_FORM = `1 to ${MAX_TRANSFER_ID} visible ASCII characters, not . or .., which are steps of a path`;

/** The fields of a new transfer that GraphQL and REST write alike. */
@Input('A new transfer without its amount.')
class TransferDetails {
  @Matches(BANK_ID, BANK_ID_FORM)
  @Field(() => ID, { description: 'The account that the money leaves, such as `demo-1001`.' })
  fromAccountId!: string;

  @Matches(BANK_ID, BANK_ID_FORM)
  @Field(() => ID, { description: 'The account that gets the money, of the same currency, such as `demo-1002`.' })
  toAccountId!: string;

  @Matches(TRANSFER_ID, TRANSFER_ID_FORM)
  @Field(() => ID, {
    description: 'The id of the transfer, such as `tr-20260331-7`. The same transfer again moves nothing more.',
  })
  transferId!: string;

  @Text(1, 100)
  @Field(() => String, {
    nullable: true,
    description: 'The last name of an owner of the account that gets the money, up to 100 characters.',
  })
  payeeLastName?: string | null;

  @Text(0, MAX_DESCRIPTION)
  @Field(() => String, {
    nullable: true,
    description: `The description in both histories, up to ${MAX_DESCRIPTION} characters, such as \`Rent for April\`.`,
  })
  description?: string | null;

  @Text(0, 500)
  @Field(() => String, {
    nullable: true,
    description: 'The memo of the sender, up to 500 characters.',
  })
  memo?: string | null;

  @Text(0, 64)
  @Field(() => String, {
    nullable: true,
    description: 'The reference for bookkeeping, up to 64 characters, such as `INV-2041`.',
  })
  reference?: string | null;

  @NewMetadata()
  metadata?: MetadataChange | null;
}

@Input('Money that goes between two accounts of the program.')
export class TransferInput extends TransferDetails {
  @Field(() => Decimal, { description: 'The amount, more than zero.' })
  amount!: string;
}

/** A new transfer, whose id may be one that the gateway made. */
export type NewTransfer = TransferInput & { readonly isOwnId?: boolean };

@Input('A new transfer, with its amount as a JSON number.')
export class TransferRecord extends TransferDetails {
  @Field(() => Float, { description: 'The amount, more than zero.' })
  amount!: number;
}

/** A new transfer of a record, which has its amount as a JSON number. */
export function newTransferOf({ amount, ...details }: TransferRecord): TransferInput {
  return { ...details, amount: String(amount) };
}

/** The most references that a filter may have. */
const MAX_REFERENCES = 100;

@Input('A filter of transfers.')
class TransferCriteria {
  @Size(1, 2)
  @Field(() => [TransferStatus], { nullable: true, description: 'The statuses to list, 1 or 2.' })
  statuses?: TransferStatus[] | null;

  @EachMatches(/^.{1,64}$/, '1 to 64 characters')
  @Size(1, MAX_REFERENCES)
  @Field(() => [String], {
    nullable: true,
    description: `The references to list, 1 to ${MAX_REFERENCES}, such as \`INV-2041\`.`,
  })
  references?: string[] | null;

  @Field(() => DateTimeISO, { nullable: true, description: 'The first instant at which listed money moved.' })
  madeFrom?: string | null;

  @Field(() => DateTimeISO, { nullable: true, description: 'The instant before which listed money moved.' })
  madeBefore?: string | null;
}

@Input('A filter of transfers, which must match every field.')
export class TransferFilter extends TransferCriteria {
  @ListedMetadata()
  metadata?: MetadataChange | null;
}

@Input('The filter and the page of transfers.')
export class TransferQuery extends TransferCriteria {
  @Text(1, 255)
  @Field(() => String, {
    nullable: true,
    description: 'The cursor of the last answer: transfers behind it. From the newest one when absent.',
  })
  after?: string | null;

  @Between(1, Number.MAX_SAFE_INTEGER)
  @Field(() => Int, {
    nullable: true,
    description: `The maximum number of transfers; more than ${MAX_PAGE_SIZE} means ${MAX_PAGE_SIZE}.`,
  })
  limit?: number | null;
}

/** The number of transfers that may be made in one request. */
export const MAX_TRANSFERS_A_CALL = 100;

@Input('The transfer that is made.')
export class CreateTransferInput {
  @Field(() => TransferInput, { description: 'The new transfer.' })
  transfer!: TransferInput;

  @DryRun()
  dryRun?: boolean;
}

@Input('Transfers, each of which is made or refused by itself.')
export class CreateTransfersInput {
  @Size(1, MAX_TRANSFERS_A_CALL)
  @Field(() => [TransferInput], { description: `The new transfers, 1 to ${MAX_TRANSFERS_A_CALL}.` })
  transfers!: TransferInput[];

  @DryRun()
  dryRun?: boolean;
}

@Input('The transfer that is taken back.')
export class ReverseTransferInput extends namesRecord('Transfer', {
  transferId: { description: 'The id of the transfer, such as `tr-20260331-7`.' },
}) {
  @Reason()
  reason!: string;

  @DryRun()
  dryRun?: boolean;
}

@Input('Transfers, each of which is made or refused by itself.')
export class TransfersRecord {
  @Size(1, MAX_TRANSFERS_A_CALL)
  @Field(() => [TransferRecord], { description: `The transfers in their order, 1 to ${MAX_TRANSFERS_A_CALL}.` })
  transfers!: TransferRecord[];
}
