import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DataClasses, DateTimeISO, Entity, Index, PrimaryKey, Property, UUID, type FieldProblem } from 'tillgate/noun';

export const RequestApi = { REST: 'REST', GRAPHQL: 'GRAPHQL' } as const;
export type RequestApi = keyof typeof RequestApi;
registerEnumType(RequestApi, {
  name: 'RequestApi',
  description: 'The API that a request used.',
  valuesConfig: {
    REST: { description: 'A route of the contract, or of a further command.' },
    GRAPHQL: { description: 'An operation of a client or of the console.' },
  },
});

/** A refusal as it is stored: its code, and the fields that it is about. */
export interface StoredProblem {
  readonly code: string;
  readonly fields?: readonly Pick<FieldProblem, 'pointer' | 'code'>[];
}

@ObjectType({ description: 'A field that was refused, without its value.', simpleResolvers: true })
export class RequestFieldProblem {
  @Field(() => String, {
    description:
      'The place of the field (RFC 6901), such as `/input/amount`. A name that is none of the API is shown as `*`.',
  })
  pointer!: string;

  @Field(() => String, { description: 'The code of what is wrong, such as `required`.' })
  code!: string;

  @Field(() => String, {
    nullable: true,
    description: 'The meaning of the code; null for a code of an earlier release.',
  })
  meaning!: string | null;
}

@ObjectType({
  description: 'A refusal in the answer to a request, explained as at `/problems`.',
  simpleResolvers: true,
})
export class RequestProblem {
  @Field(() => String, { description: 'The code of the refusal, as REST has it.' })
  code!: string;

  @Field(() => String, {
    nullable: true,
    description: 'The meaning of the code; null for a code of an earlier release.',
  })
  meaning!: string | null;

  @Field(() => String, { nullable: true, description: 'The advice for the sender of the request.' })
  remedy!: string | null;

  @Field(() => [RequestFieldProblem], { description: 'The fields that were refused, at most 20.' })
  fields!: readonly RequestFieldProblem[];
}

/**
 * A request of a client that was answered: who sent it, what it was, and how it ended, and none of the values that it
 * had. A row is written after the answer and never changed, and deleted with all others of its day.
 */
@Entity({ tableName: 'api_request' })
@DataClasses<ApiRequest>({
  kept: 'as long as the setting `REQUEST_LOG_DAYS` says, 30 days at most; then the table of the day is dropped',
  internal: [
    'answeredAt',
    'durationMs',
    'program',
    'api',
    'method',
    'operation',
    'rootFields',
    'httpStatus',
    'code',
    'storedProblems',
    'hasSeveralProblems',
    'requestBytes',
    'answerBytes',
    'isReplay',
    'isAborted',
  ],
  identifier: ['entryId', 'requestId', 'clientId', 'subject', 'customerId', 'actor', 'keyDigest'],
  personal: {
    userAgent: 'masked: the product that the client names, without numbers that may be personal',
    clientAddress: 'in the clear: support asks whence a request came; the setting `LOG_CLIENT_ADDRESS` hides it',
  },
})
@Index({ properties: ['program', 'clientId', 'answeredAt', 'entryId'] })
@Index({
  name: 'api_request_id',
  expression: 'create index api_request_id on api_request using hash (request_id)',
})
@Index({
  name: 'api_request_refused',
  expression:
    'create index api_request_refused on api_request (program, client_id, code, answered_at, entry_id) where code is not null',
})
@Index({
  name: 'api_request_code',
  expression:
    'create index api_request_code on api_request (program, code, answered_at, entry_id) where code is not null',
})
@Index({
  name: 'api_request_refused_often',
  expression:
    'create index api_request_refused_often on api_request (program, answered_at, entry_id) where has_several_problems',
})
@Index({
  name: 'api_request_customer',
  expression: 'create index api_request_customer on api_request using hash (customer_id) where customer_id is not null',
})
@Index({
  name: 'api_request_key',
  expression: 'create index api_request_key on api_request using hash (key_digest) where key_digest is not null',
})
@ObjectType({
  description: 'A request that a client sent, and its end, without any value that was sent or answered.',
  simpleResolvers: true,
})
export class ApiRequest {
  // The key has the order of the lists, so that it is the index of the newest.
  @PrimaryKey({ type: 'text' }) program!: string;

  @PrimaryKey({ type: 'datetime', length: 3 })
  @Field(() => DateTimeISO, { description: 'The time at which the answer was over.' })
  answeredAt!: Date;

  @PrimaryKey({ type: 'uuid' })
  @Field(() => UUID, {
    description: 'The id that the gateway gave the entry in the log, such as `5d3c8a52-6f0e-4b1a-9c2d-7e8f1a2b3c4d`.',
  })
  entryId!: string;

  @Property({ type: 'integer' })
  @Field(() => Int, { description: 'The time until the answer was over, in milliseconds.' })
  durationMs!: number;

  @Property({ type: 'text' })
  @Field(() => String, {
    description: 'The `X-Request-Id`, such as `close-4711`. Clients choose it, so several requests may have the same.',
  })
  requestId!: string;

  @Property({ type: 'text' })
  @Field(() => String, { description: 'The client that sent the request: `client_id` of its access token.' })
  clientId!: string;

  @Property({ type: 'text' })
  @Field(() => String, { description: 'The subject on whose behalf the client acted: `sub` of its access token.' })
  subject!: string;

  /** The customer to whom the token is bound: such a caller sees the own requests alone. */
  @Property({ type: 'text', nullable: true }) customerId!: string | null;

  @Property({ type: 'text', nullable: true })
  @Field(() => String, {
    nullable: true,
    description: 'The actor for the subject, such as `agent-7`: `act.sub` of the token.',
  })
  actor!: string | null;

  @Property({ type: 'text' })
  @Field(() => RequestApi, { description: 'The API that the request used.' })
  api!: RequestApi;

  @Property({ type: 'text' })
  @Field(() => String, { description: 'The method of HTTP.' })
  method!: string;

  @Property({ type: 'text', nullable: true })
  @Field(() => String, {
    nullable: true,
    description:
      'The REST route, such as `POST /accounts/:accountId/close`, or the name of the GraphQL operation; null for none.',
  })
  operation!: string | null;

  @Property({ type: 'json' })
  @Field(() => [String], { description: 'The fields at the root of the GraphQL operation, such as `createCard`.' })
  rootFields!: readonly string[];

  @Property({ type: 'integer' })
  @Field(() => Int, { description: 'The status of the answer: 200 also where GraphQL refused single fields.' })
  httpStatus!: number;

  /** The code of the first refusal; null where nothing was refused. */
  @Property({ type: 'text', nullable: true }) code!: string | null;

  @Property({ type: 'json', nullable: true }) storedProblems!: readonly StoredProblem[] | null;

  /** True if there are several refusals. How rare that is PostgreSQL knows of a column, and not of the length of a list. */
  @Property({ type: 'boolean' }) hasSeveralProblems!: boolean;

  @Field(() => [RequestProblem], { description: 'The refusals in the answer.' })
  problems!: readonly RequestProblem[];

  @Property({ type: 'integer', nullable: true })
  @Field(() => Int, { nullable: true, description: 'The length of the body of the request in bytes; null if unknown.' })
  requestBytes!: number | null;

  @Property({ type: 'integer', nullable: true })
  @Field(() => Int, { nullable: true, description: 'The length of the body of the answer in bytes; null if unknown.' })
  answerBytes!: number | null;

  @Property({ type: 'boolean' })
  @Field(() => Boolean, { description: 'True if an earlier request with the same idempotency key had done it before.' })
  isReplay!: boolean;

  @Property({ type: 'boolean' })
  @Field(() => Boolean, { description: 'True if the client was gone before the answer was sent.' })
  isAborted!: boolean;

  @Property({ type: 'text', nullable: true })
  @Field(() => String, {
    nullable: true,
    description: 'The digest of the idempotency key, which is the same for the same key of a client; null without one.',
  })
  keyDigest!: string | null;

  @Property({ type: 'text', nullable: true })
  @Field(() => String, { nullable: true, description: 'The `User-Agent`, without what may be personal data.' })
  userAgent!: string | null;

  @Property({ type: 'text', nullable: true })
  @Field(() => String, {
    nullable: true,
    description: 'The address of the client; null where it is not kept, and for agents.',
  })
  clientAddress!: string | null;
}

/** A request as it is shown. */
export type ApiRequestView = Readonly<
  Omit<ApiRequest, 'program' | 'customerId' | 'code' | 'storedProblems' | 'hasSeveralProblems' | 'answeredAt'>
> & {
  readonly answeredAt: string;
};
