import { Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import type { ApprovalChange as Change } from '../shared/approval.js';
import { Field, ID, ObjectType, registerEnumType } from 'type-graphql';
import { fieldNamesOf } from '../platform/repository/fields.js';
import { Sealed } from '../platform/repository/declarations.js';
import { Node, NodeKey } from '../platform/graphql/node.js';
import { DateTimeISO, JSONObject, UUID } from '../platform/scalars/scalars.js';

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
  description: 'What became of a request that had to wait for another person. All but WAITING are final.',
  valuesConfig: {
    WAITING: { description: 'Nobody has decided yet.' },
    APPROVED: { description: 'Another person approved the request, and it was carried out.' },
    FAILED: {
      description: 'Another person approved the request, and it was refused since it was no longer possible.',
    },
    REJECTED: { description: 'Somebody rejected the request, and it is not carried out.' },
    EXPIRED: { description: 'Nobody decided in time, and the request is not carried out.' },
  },
});

/** The longest reason. */
export const MAX_REASON_CHARACTERS = 200;

@ObjectType({
  description: 'What a request that waits would change of one field, as it was when the request was sent.',
  simpleResolvers: true,
})
export class ApprovalChange implements Change {
  @Field(() => String, { description: 'The field, such as `status` or `url`.' })
  field!: string;

  @Field(() => String, {
    nullable: true,
    description: 'The value before the change, such as `OPEN`; null where there is none.',
  })
  before!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The value after the change, such as `CLOSED`; null where there is none.',
  })
  after!: string | null;
}

/** The longest list of changes: a posting has at most 500 transactions, each may give back another one. */
export const MAX_CHANGES = 501;

/** The sealed part of an approval: the input of its command, and the text that a retry is compared with. */
export interface ApprovalRequest {
  readonly input: unknown;
  readonly recorded: object;
  /** Who asked, by the claim that tells persons; absent or null where it says nothing. */
  readonly person?: string | null;
  /** The customer for whom it was asked; absent or null for the program. */
  readonly customerId?: string | null;
  /** Absent in approvals that are older. */
  readonly changes?: readonly Change[];
}

/** A command that waits for another person, or waited. Decided ones are kept without their input. */
@Entity({ tableName: 'approval' })
@Index({ properties: ['program', 'requestedAt', 'approvalId'] })
@Index({ properties: ['program', 'expiresAt'], where: "status = 'WAITING'" })
@NodeKey('approvalId')
@ObjectType({
  description: 'A request that waits until another person approves it, or that waited. It contains no personal data.',
  implements: Node,
  simpleResolvers: true,
})
export class Approval {
  @PrimaryKey({ type: 'uuid' })
  @Field(() => UUID, { description: 'The id of the approval, such as `2c9f5d0e-4b1a-4e36-9d0c-7a5b8e1f3c60`.' })
  approvalId!: string;

  @Property({ type: 'text' }) program!: string;

  @Property({ type: 'text' })
  @Field(() => ApprovalStatus, { description: 'What became of the request.' })
  status!: ApprovalStatus;

  @Property({ type: 'text' })
  @Field(() => String, {
    description: 'What was requested, by the name that the event of the change has as its action, such as `owner.add`.',
  })
  command!: string;

  @Property({ type: 'text', nullable: true })
  @Field(() => ID, {
    nullable: true,
    description: 'The account that the request is about, such as `demo-1001`; null if it is about the program.',
  })
  accountId!: string | null;

  @Property({ type: 'text', nullable: true })
  @Field(() => String, {
    nullable: true,
    description: 'What the request changes, such as `account/demo-1001`; null if it does not exist yet.',
  })
  object!: string | null;

  @Property({ type: 'json', columnType: 'json' })
  @Field(() => JSONObject, {
    description: 'What would change when the request was sent, such as `{"status":"CLOSED"}`. Without personal data.',
  })
  facts!: object;

  @Property({ type: 'text' })
  @Field(() => String, { description: 'The client that sent the request, such as `harborlight-core`.' })
  clientId!: string;

  @Property({ type: 'text' })
  @Field(() => String, { description: 'The subject of the access token that the request came with, such as `u-4711`.' })
  subject!: string;

  @Property({ type: 'text' })
  @Field(() => String, {
    description: 'The X-Request-Id of the request, such as `0d7be1d2-58ad-4c6e-9a39-5f1f6c1f7d20`.',
  })
  requestId!: string;

  @Property({ type: 'datetime', length: 3 })
  @Field(() => DateTimeISO, { description: 'When the request was sent, such as `2026-03-31T18:05:00.000Z`.' })
  requestedAt!: Date;

  @Property({ type: 'datetime', length: 3 })
  @Field(() => DateTimeISO, { description: 'Until when it can be approved, such as `2026-04-07T18:05:00.000Z`.' })
  expiresAt!: Date;

  @Property({ type: 'text', nullable: true })
  @Field(() => String, {
    nullable: true,
    description: 'The subject that approved or rejected the request, such as `u-4712`; null if nobody did.',
  })
  decidedBy!: string | null;

  @Property({ type: 'datetime', length: 3, nullable: true })
  @Field(() => DateTimeISO, {
    nullable: true,
    description: 'When it was decided or expired, such as `2026-03-31T19:10:00.000Z`; null while it waits.',
  })
  decidedAt!: Date | null;

  @Property({ type: 'text', nullable: true })
  @Field(() => String, {
    nullable: true,
    description: 'Why it was rejected, such as `Not agreed with the branch.`; null if it was not.',
  })
  reason!: string | null;

  @Property({ type: 'text', nullable: true })
  @Field(() => String, {
    nullable: true,
    description:
      'The code of the refusal if the approved request was no longer possible, such as `account_closed`; null if it was.',
  })
  code!: string | null;

  /** Of the idempotency key of the request, under which its outcome is kept. */
  @Property({ type: 'blob' }) keyHash!: Buffer;

  /** `ApprovalRequest` while it waits, then null. It may hold personal data and secrets. */
  @Sealed({ as: 'request' })
  @Property({ type: 'blob' })
  sealed!: Buffer;
}

type Instants = 'requestedAt' | 'expiresAt' | 'decidedAt';

/** An approval as it is shown. */
export type ApprovalView = Readonly<Omit<Approval, 'program' | 'keyHash' | 'sealed' | Instants>> & {
  readonly requestedAt: string;
  readonly expiresAt: string;
  readonly decidedAt: string | null;
};

/** An approval as it is read. What is sealed is opened when it is looked at. */
export type ApprovalRead = ApprovalView &
  Readonly<Pick<Approval, 'program' | 'keyHash'>> & { readonly request: ApprovalRequest | null };

/** The fields of an approval as it is shown, in their order. */
export const APPROVAL_FIELDS = fieldNamesOf(Approval);
