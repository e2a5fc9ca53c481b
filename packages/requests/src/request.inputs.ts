import { Field, Int } from 'type-graphql';
import { Between, DateTimeISO, Input, MAX_PAGE_SIZE, Matches, Text, UUID } from 'tillgate/noun';
import { RequestApi } from './request.entity.js';

const CODE = /^[A-Za-z_0-9]{1,64}$/;
const CODE_FORM = 'a code such as account_not_found';

@Input('A filter of requests, which must match every field.')
export class ApiRequestFilter {
  @Text(1, 128)
  @Field(() => String, {
    nullable: true,
    description: 'The id of the requests to list, such as `close-4711`.',
  })
  requestId?: string | null;

  @Text(1, 255)
  @Field(() => String, { nullable: true, description: 'The client to list: `client_id` of the access token.' })
  clientId?: string | null;

  @Text(1, 255)
  @Field(() => String, { nullable: true, description: 'The subject to list: `sub` of the access token.' })
  subject?: string | null;

  @Field(() => UUID, {
    nullable: true,
    description: 'The customer whose own tokens sent the requests, without those of the program.',
  })
  customerId?: string | null;

  @Matches(CODE, CODE_FORM)
  @Field(() => String, {
    nullable: true,
    description: 'The code of a refusal, in upper or lower case. `/problems` has all codes.',
  })
  code?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'True for refused requests, false for all others.' })
  isRefused?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: 'True for replays of earlier requests, false for all others.' })
  isReplay?: boolean | null;

  @Field(() => RequestApi, { nullable: true, description: 'The API that the requests used.' })
  api?: RequestApi | null;

  @Text(1, 255)
  @Field(() => String, {
    nullable: true,
    description: 'The REST route or the name of the GraphQL operation, such as `POST /accounts/:accountId/close`.',
  })
  operation?: string | null;

  @Field(() => DateTimeISO, {
    nullable: true,
    description: 'The instant at or after which listed requests were answered.',
  })
  answeredFrom?: string | null;

  @Field(() => DateTimeISO, {
    nullable: true,
    description: 'The instant before which listed requests were answered.',
  })
  answeredBefore?: string | null;
}

@Input('The requests to list, and the page of them.')
export class ApiRequestQuery extends ApiRequestFilter {
  @Text(1, 255)
  @Field(() => String, {
    nullable: true,
    description: 'The cursor of the last answer: requests after it. From the newest one when absent.',
  })
  after?: string | null;

  @Between(1, Number.MAX_SAFE_INTEGER)
  @Field(() => Int, {
    nullable: true,
    description: `The maximum number of requests; more than ${MAX_PAGE_SIZE} means ${MAX_PAGE_SIZE}.`,
  })
  limit?: number | null;
}
