/** What Apollo Server and graphql-js find wrong with a document or its variables, by the codes that Apollo's clients know. */
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
    'The document does not have the operation that the request names, or has several and the request names none.',
    'Send `operationName` with the name of one operation of the document.',
  ],
  PERSISTED_QUERY_NOT_SUPPORTED: [
    'malformed',
    'Operations cannot be asked for by their hash, since the gateway keeps no persisted operations.',
    'Send the text of the operation.',
  ],
} as const;

/** Codes that come over GraphQL alone. */
export const GRAPHQL_PROBLEMS = {
  ...APOLLO_PROBLEMS,
  PERSISTED_QUERY_NOT_FOUND: [
    'not_found',
    'The gateway does not have the operation with this hash. Apollo clients expect it with the HTTP status 200.',
    'Use a hash of the manifest that the gateway was given.',
  ],
  persisted_operation_required: [
    'forbidden',
    'This gateway answers only the operations of its manifest.',
    'Send the hash of a persisted operation, or its text exactly as the manifest has it.',
  ],
  query_too_deep: [
    'malformed',
    'The operation has fields at a greater depth than is allowed.',
    'Ask for what is deeper in another operation.',
  ],
  query_too_costly: [
    'malformed',
    'The operation may cost more than is allowed; the answer has its cost and the limit.',
    'Ask for smaller pages or fewer lists.',
  ],
  too_many_aliases: [
    'malformed',
    'The operation asks for one field at one place under more names than are allowed.',
    'Send the others in another operation.',
  ],
  too_many_root_fields: [
    'malformed',
    'The operation has more fields at its root than are allowed.',
    'Send the others in another operation.',
  ],
  too_many_fragments: ['malformed', 'The document has more fragments than are allowed.', 'Send only those you use.'],
  too_many_selections: [
    'malformed',
    'The operation makes more selections than are allowed, with each fragment counted wherever it is spread.',
    'Ask for fewer fields, or for some of them in another operation.',
  ],
  account_closed: ['conflict', 'The account is closed, and nothing is posted to it.', 'Post to an open account.'],
  card_state: [
    'conflict',
    'The present state of the card does not allow the change. Lost, stolen and closed are final.',
    'Read the `status` of the card, and create a new card where it is final.',
  ],
  transaction_mismatch: [
    'conflict',
    'A transaction with this id exists and has different content.',
    'Use a new `transactionId`; a posted transaction never changes.',
  ],
  timed_out: [
    'unavailable',
    'The operation took too long and was stopped.',
    'Ask for less at once, or try again with the same idempotency key.',
  ],
} as const;
