import type { Opt } from '@mikro-orm/core';
import { Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import type { ApprovalChange as Change } from '../../shared/approval.js';
import { Field, ID, ObjectType, registerEnumType } from 'type-graphql';
import { DataClasses } from '../../platform/repository/data-classes.js';
import { fieldNamesOf } from '../../platform/repository/fields.js';
import { Sealed } from '../../platform/repository/declarations.js';
import { IsErrorCode } from '../../platform/graphql/error-code.js';
import { Node, NodeKey } from '../../platform/graphql/node.js';
import { DateTimeISO, JSONObject, UUID } from '../../platform/scalars/scalars.js';

export const ApprovalStatus = {
  WAITING: 'WAITING',
  APPROVED: 'APPROVED',
  FAILED: 'FAILED',
  REJECTED: 'REJECTED',
  EXPIRED: 'EXPIRED',
} as const;
export type ApprovalStatus = keyof typeof ApprovalStatus;
registerEnumType(ApprovalStatus, {
  name: 'ApprovalStatus',
  description: 'The status of a request for approval. All except WAITING are final.',
  valuesConfig: {
    WAITING: { description: 'The request waits for a decision.' },
    APPROVED: { description: 'Another person approved the request, and it was carried out.' },
    FAILED: {
      description: 'Another person approved the request, and it was no longer possible.',
    },
    REJECTED: { description: 'Somebody rejected the request, and it is not carried out.' },
    EXPIRED: { description: 'Nobody decided in time, and the request is not carried out.' },
  },
});

@ObjectType({
  description: 'One field that a waiting request would change.',
  simpleResolvers: true,
})
export class ApprovalChange implements Change {
  @Field(() => String, { description: 'The name of the field, such as `status` or `url`.' })
  field!: string;

  @Field(() => String, {
    nullable: true,
    description: 'The value before, such as `OPEN`; null for nothing.',
  })
  before!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The value afterwards, such as `CLOSED`; null for nothing.',
  })
  after!: string | null;
}

/** The longest list of changes: a posting has at most 500 transactions, each may give back another one. */
export const MAX_CHANGES = 501;

/** The sealed part of an approval: the input of its command, and the text that a retry is compared with. */
export interface ApprovalRequest {
  readonly input: unknown;
  readonly recorded: object;
  /** The person who asked, by the claim that tells persons; absent or null where it says nothing. */
  readonly person?: string | null;
  /** The customer for whom it was asked; absent or null for the program. */
  readonly customerId?: string | null;
  /** Absent where the command shows none. */
  readonly changes?: readonly Change[];
}

/** A command that waits for another person, or waited. Decided ones are kept without their input. */
@Entity({ tableName: 'approval' })
@DataClasses<Approval>({
  kept: 'as long as the account, without one without end; what is sealed until it is decided or expires',
  internal: ['program', 'status', 'command', 'requestedAt', 'expiresAt', 'decidedAt', 'code', 'keyHash'],
  ledger: ['keptBackMinor'],
  identifier: [
    'approvalId',
    'accountId',
    'customerId',
    'object',
    'facts',
    'clientId',
    'subject',
    'actor',
    'requestId',
    'decidedBy',
  ],
  personal: {
    statedReason: 'in the clear: approvers read it, and agents are told to write nothing personal into it',
    reason: 'in the clear: operators read it, and are told to write nothing personal into it',
    sealed: 'sealed',
  },
})
@Index({ properties: ['program', 'requestedAt', 'approvalId'] })
@Index({ properties: ['accountId'] })
@Index({ properties: ['program', 'expiresAt'], where: "status = 'WAITING'" })
@NodeKey('approvalId')
@ObjectType({
  description: 'A request that waits or waited for another person.',
  implements: Node,
  simpleResolvers: true,
})
export class Approval {
  @PrimaryKey({ type: 'uuid' })
  @Field(() => UUID, {
    description: 'The id of the request that waits, which is `extensions.approvalId` of the error.',
  })
  approvalId!: string;

  @Property({ type: 'text' }) program!: string;

  @Property({ type: 'text' })
  @Field(() => ApprovalStatus, { description: 'The status of the request: it waits, or how it ended.' })
  status!: ApprovalStatus;

  @Property({ type: 'text' })
  @Field(() => String, {
    description: 'The action that was requested, as events name it, such as `owner.add`.',
  })
  command!: string;

  @Property({ type: 'text', nullable: true })
  @Field(() => ID, {
    nullable: true,
    description: 'The account that it is about, such as `demo-1001`.',
  })
  accountId!: string | null;

  @Property({ type: 'text', nullable: true })
  @Field(() => String, {
    nullable: true,
    description: 'The object that the request changes, such as `account/demo-1001`; null if that is new.',
  })
  object!: string | null;

  @Property({ type: 'json', columnType: 'json' })
  @Field(() => JSONObject, {
    description: 'The facts that would change, such as `{"status":"CLOSED"}`.',
  })
  facts!: object;

  @Property({ type: 'text' })
  @Field(() => String, { description: 'The client that sent the request, such as `harborlight-core`.' })
  clientId!: string;

  @Property({ type: 'text' })
  @Field(() => String, {
    description: 'The subject for whom the request was sent, such as `u-4711`: `sub` of the token.',
  })
  subject!: string;

  @Property({ type: 'text', nullable: true })
  @Field(() => String, {
    nullable: true,
    description: 'The actor for the subject, such as `agent-7`: `act.sub` of the token.',
  })
  actor!: string | null;

  @Property({ type: 'text', nullable: true })
  @Field(() => String, {
    nullable: true,
    description: 'The reason that the agent states, such as `The customer lost the card.`; null where no agent asks.',
  })
  statedReason!: string | null;

  @Property({ type: 'text' })
  @Field(() => String, {
    description: 'The `X-Request-Id`, such as `7f1c9a52-3d60-4b0e-8a53-0c1f6a2e9d44`.',
  })
  requestId!: string;

  @Property({ type: 'datetime', length: 3 })
  @Field(() => DateTimeISO, { description: 'The time at which the request was sent.' })
  requestedAt!: Date;

  @Property({ type: 'datetime', length: 3 })
  @Field(() => DateTimeISO, { description: 'The time until which the request can be approved.' })
  expiresAt!: Date;

  @Property({ type: 'text', nullable: true })
  @Field(() => String, {
    nullable: true,
    description: 'The subject that decided, such as `u-4712`.',
  })
  decidedBy!: string | null;

  @Property({ type: 'datetime', length: 3, nullable: true })
  @Field(() => DateTimeISO, {
    nullable: true,
    description: 'The time at which the request was decided or expired; null while it waits.',
  })
  decidedAt!: Date | null;

  @Property({ type: 'text', nullable: true })
  @Field(() => String, {
    nullable: true,
    description: 'The reason for the rejection, such as `Not agreed with the branch.`.',
  })
  reason!: string | null;

  @Property({ type: 'text', nullable: true })
  @Field(() => String, {
    nullable: true,
    description: 'The code of the refusal of the approved request.',
  })
  @IsErrorCode()
  code!: string | null;

  /** The customer for whom it was sent; null for the program. */
  @Property({ type: 'uuid', nullable: true }) customerId!: string | null;

  /** The money of its account that it keeps back while it waits, in minor units. */
  @Property({ type: 'bigint', default: 0 }) keptBackMinor!: Opt<bigint>;

  /** The hash of the idempotency key of the request, under which its outcome is kept. */
  @Property({ type: 'blob' }) keyHash!: Buffer;

  /** `ApprovalRequest` while it waits, then null. It may hold personal data and secrets. */
  @Sealed({ as: 'request' })
  @Property({ type: 'blob' })
  sealed!: Buffer;
}

type Instants = 'requestedAt' | 'expiresAt' | 'decidedAt';

/** An approval as it is shown. */
export type ApprovalView = Readonly<
  Omit<Approval, 'program' | 'keyHash' | 'customerId' | 'keptBackMinor' | 'sealed' | Instants>
> & {
  readonly requestedAt: string;
  readonly expiresAt: string;
  readonly decidedAt: string | null;
};

/** An approval as it is read. What is sealed is opened when it is looked at. */
export type ApprovalRead = ApprovalView &
  Readonly<Pick<Approval, 'program' | 'keyHash' | 'customerId'>> & {
    readonly keptBackMinor: bigint;
    readonly request: ApprovalRequest | null;
  };

/** The fields of an approval as it is shown, in their order. */
export const APPROVAL_FIELDS = fieldNamesOf(Approval);
