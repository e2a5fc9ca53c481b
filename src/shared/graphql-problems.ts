/**
 * The problems that Apollo Server and graphql-js find in a document or its variables, by the codes that Apollo's
 * clients know.
 */
export const APOLLO_PROBLEMS = {
  GRAPHQL_PARSE_FAILED: [
    'malformed',
    'The document is not GraphQL, or has too many tokens.',
    'Correct the syntax at the line and column that the message names, or send a shorter document.',
  ],
  GRAPHQL_VALIDATION_FAILED: [
    'malformed',
    'The document does not fit the schema: an unknown field, a missing argument, a literal of the wrong type.',
    'Correct the document. `schema.graphql` has every type and field.',
  ],
  BAD_USER_INPUT: [
    'malformed',
    'The operation cannot run with these variables.',
    'Send each variable that the operation needs, in the type that it declares.',
  ],
  BAD_REQUEST: [
    'malformed',
    'The request is not GraphQL over HTTP.',
    'Send `{"query": "...", "variables": {...}}` by POST as `application/json`.',
  ],
  OPERATION_RESOLUTION_FAILURE: [
    'malformed',
    'The request names an operation that the document does not contain, or names none of several operations.',
    'Send `operationName` with the name of one operation of the document.',
  ],
} as const;

/** Codes that come over GraphQL alone. */
export const GRAPHQL_PROBLEMS = {
  ...APOLLO_PROBLEMS,
  PERSISTED_QUERY_NOT_FOUND: [
    'not_found',
    'The gateway does not know the text of the operation with this hash. The HTTP status is 200, as Apollo clients expect.',
    'Send the text with the hash, as Apollo clients do. A gateway with a manifest knows only the hashes of its manifest.',
  ],
  approval_required: [
    'accepted',
    'The request is allowed, and waits until another person approves it, as the program wants it. Nothing was done yet. REST answers with the approval itself.',
    'Let another person with the scope `approvals` approve it, and then send the same request with the same key again to get its result.',
  ],
  persisted_operation_required: [
    'forbidden',
    'The gateway accepts only the operations of its manifest.',
    'Send the hash of a persisted operation, or its text exactly as the manifest has it.',
  ],
  query_too_deep: [
    'malformed',
    'The operation is nested deeper than the limit allows.',
    'Request the deeper fields in another operation.',
  ],
  query_too_costly: [
    'malformed',
    'The cost of the operation may exceed the limit. The response contains the cost and the limit.',
    'Request smaller pages or fewer lists.',
  ],
  too_many_aliases: [
    'malformed',
    'The operation requests the same field under more aliases than are allowed.',
    'Send the other fields in another operation.',
  ],
  too_many_root_fields: [
    'malformed',
    'The operation has more fields at its root than are allowed.',
    'Send the other fields in another operation.',
  ],
  too_many_fragments: [
    'malformed',
    'The document has more fragments than are allowed.',
    'Send only the fragments that you use.',
  ],
  too_many_selections: [
    'malformed',
    'The operation makes more selections than are allowed, with each fragment counted wherever it is spread.',
    'Request fewer fields, or some of them in another operation.',
  ],
  stream_required: [
    'not_acceptable',
    'The operation is a subscription, and the request does not accept a stream.',
    'Send it by POST with an `Accept` that has `multipart/mixed` or `text/event-stream`, or over a WebSocket.',
  ],
  subscriptions_only: [
    'malformed',
    'A query or a mutation was sent over a WebSocket, which carries subscriptions only.',
    'Send queries and mutations by POST.',
  ],
  origin_not_allowed: [
    'forbidden',
    'A page of an origin that is not allowed opened a WebSocket.',
    'Ask the operator of the gateway to name the origin in `CORS_ORIGINS`.',
  ],
  too_many_subscriptions: [
    'too_many_requests',
    'The client or the process has as many open subscriptions as its limit allows.',
    'End some of the subscriptions, or try again after the seconds of `Retry-After`.',
  ],
  subscriber_too_slow: [
    'unavailable',
    'The client did not read what its subscription sent. The subscription was ended, and nothing is kept for it.',
    'Subscribe again with `extensions.cursor` as `after`.',
  ],
  timed_out: [
    'unavailable',
    'The operation took too long and was stopped.',
    'Request less at once, or try again with the same idempotency key.',
  ],
} as const;
