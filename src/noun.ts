/**
 * `tillgate/noun`: what a noun is made of that comes from a package, of this repository or of an embedder; see
 * docs/embedding.md. Everything else of `src` is private. Where two parts of `src` have a word for themselves, it has a
 * longer name here.
 */

// The decorators of MikroORM and Type-GraphQL, of the copies that the gateway itself uses.
export { Entity, Index, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
export { Migration } from '@mikro-orm/migrations';
export {
  Arg,
  Args,
  Ctx,
  Field,
  FieldResolver,
  ID,
  Int,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';

// The registration of a noun.
export {
  noun,
  resolver,
  type AnyNoun,
  type ApiSettings,
  type EndJob,
  type JobReports,
  type Noun,
  type NounReports,
} from './platform/noun/noun.js';
export type { NounBase } from './platform/noun/noun-base.js';

// Words of the domain: callers, scopes, operations, refusals, pages, money, days.
export type { ApprovalChange } from './shared/approval.js';
export { daysIn } from './shared/calendar.js';
export { AGENT_SCOPE, Caller, asAgent, type NounScope, type Scope } from './shared/caller.js';
export { startOfDay } from './shared/days.js';
export {
  InvalidInput,
  NotForAgents,
  PreconditionFailed,
  Refusal,
  TooLarge,
  Unavailable,
  refusalsOf,
  type FieldProblem,
  type Problems,
} from './shared/errors.js';
export { FIELD_PROBLEMS } from './shared/field-problems.js';
export { BANK_ID, BANK_ID_FORM, OWN_ID_MARK, UUID_TEXT } from './shared/ids.js';
export { instantPlaceOf, positionAt } from './shared/instant-place.js';
export { canonicalJson, type Json, type Plain } from './shared/json.js';
export { currencyDigits, decimalOf, minorOf } from './shared/money.js';
export { operation, type DeclaredOperation } from './shared/operation.js';
export {
  DEFAULT_PAGE_SIZE,
  MAX_PAGE_SIZE,
  positionOf,
  sliceOf,
  windowOf,
  type CursorRequest,
  type Listing,
  type Page,
  type PageRequest,
  type Slice,
  type Window,
} from './shared/page.js';
export { UsageError } from './shared/usage-error.js';
export { mustBeExpected, nextVersion, type VersionCondition, type VersionedRecord } from './shared/version.js';

// Commands: every write is one.
export { waitsForAgents } from './platform/command/command.js';
export type {
  AcceptedCommand,
  ApprovalPolicy,
  CommandRequest,
  EventFacts,
  PreparedCommand,
  Work,
} from './platform/command/command.js';
export { MAX_REASON_CHARACTERS, stating } from './platform/command/agent-reason.js';
export { allowing, type Denial } from './platform/command/denial.js';
export { PROGRAMS, ProgramCommands, type ProgramCommand } from './platform/command/program-commands.js';
export { gatewayCaller, recording } from './platform/command/recording.js';
export { onceAnHour } from './platform/command/sweep.js';

// The feed of events.
export { EventFeed, type EventWish } from './platform/feed/event-feed.js';
export type { EventRecord, EventType, EventTypes, FactsByName } from './platform/feed/event-types.js';
export {
  MAX_READ,
  PRESENT,
  READ,
  READ_OF_PROGRAM,
  eventOf,
  type FeedEvent,
  type FeedRow,
} from './platform/feed/feed-rows.js';

// Tables, statements and transactions.
export { ask } from './platform/database/ask.js';
export { apart, keyed } from './platform/database/keyed.js';
export { Database } from './platform/database/orm.js';
export {
  NOT_DURABLE,
  inTransaction,
  inTwoRoundTrips,
  type SqlQuery,
  type SqlTransaction,
  type StatementSender,
} from './platform/database/transaction.js';
export { UnfitDatabase } from './platform/database/unfit-database.js';

// Entities and what reads and writes their rows.
export { batchedFind } from './platform/repository/batched-find.js';
export { BatchedRepository, type Draft } from './platform/repository/batched-repository.js';
export { batcher } from './platform/repository/batcher.js';
export { byOrdinal, oneByOrdinal, transpose, type WithOrdinal } from './platform/repository/by-ordinal.js';
export { DataClasses } from './platform/repository/data-classes.js';
export { Derived, FromParent, Lazy, Sealed, sealIdentity } from './platform/repository/declarations.js';
export { fieldNamesOf, pick } from './platform/repository/fields.js';
export { cursorOptions, inReadingOrder } from './platform/repository/find-options.js';
export { listing, windowAt, type Cursors } from './platform/repository/listing.js';

// Sealed columns.
export { KeyRing } from './platform/crypto/key-ring.js';

// Inputs, with their rules.
export { Input, type InputClass } from './platform/input/input.js';
export { ref, type JsonSchema } from './platform/input/json-schema.js';
export { readInput, readRecord } from './platform/input/read-input.js';
export {
  Between,
  Distinct,
  EachMatches,
  EachText,
  Fits,
  Matches,
  NotCleared,
  PastDate,
  Size,
  Text,
  Together,
} from './platform/input/rules.js';

// GraphQL.
export { connectionOf, type Connection } from './platform/graphql/connection.js';
export { Writer, atPointer, type Context } from './platform/graphql/context.js';
export { DryRun, Flag } from './platform/graphql/flag.js';
export { ExpectedVersion, VERSION, expecting } from './platform/graphql/expected-version.js';
export type { NodeLink } from './platform/graphql/node-link.js';
export { Node, NodeKey } from './platform/graphql/node.js';
export { CursorArgs } from './platform/graphql/page-args.js';
export { Payload, payloadOf } from './platform/graphql/payload.js';
export { Performs } from './platform/graphql/performs.js';
export { UuidArg } from './platform/graphql/uuid-arg.js';
export { namesRecord, type NamesRecord } from './platform/graphql/record-name.js';
export { Renamed } from './platform/graphql/renamed.js';

// Addresses besides those of REST and GraphQL.
export type { GraphqlAccess, OwnOperation } from './platform/graphql/graphql-access.js';
export { operationOf } from './platform/graphql/performs.js';
export type { EndpointAnswer, EndpointRequest, HttpEndpoint } from './platform/http/endpoint.js';

// Scalars.
export {
  Base64,
  CountryCode,
  Currency,
  DateTimeISO,
  Decimal,
  JSONObject,
  LocalDate,
  LocalDateTime,
  UUID,
} from './platform/scalars/scalars.js';

// Requests that are over.
export type { AnsweredRequest, RequestWatch } from './platform/http/answered-request.js';

// REST.
export { contractRecord, exactNumber } from './platform/http/json.js';
export { readDocument } from './platform/http/body.js';
export { callerOf, exchangeOf } from './platform/http/exchange.js';
export { unitsOfFile } from './platform/http/gate.js';
export { sendStream } from './platform/http/send-stream.js';
export { expressOver, restOver, type RestOperation, type RestPart } from './platform/rest/rest.js';
export type { PathParameter, RestRequest } from './platform/rest/rest-words.js';

// OpenAPI.
export { always } from './platform/openapi/headers.js';
export { answer } from './platform/openapi/operation.js';
export { FORMS, list, oneOf, pagesBehind, record, text, value } from './platform/openapi/schema.js';

// Settings.
export type { SettingGroup, SettingValues } from './platform/settings/setting.js';
export type { Settings } from './platform/settings/settings.js';

// The process: imports, logs, reports, migrations and metrics.
export { writeRecords, type ImportKind, type Importer } from './platform/import/batch.js';
export type { Logger } from './platform/logging/logger.js';
export { installationFolder, readManifest } from './platform/manifest.js';
export type { ExportTally } from './platform/report/exported.js';
export { Tally } from './platform/report/progress.js';
export type { Report } from './platform/report/report.js';
export { statusOf } from './platform/report/stop-signal.js';
export type { ProcessGroup } from './platform/workers/process-group.js';

// The bank: its entities, services, operations and refusals.
export { ACCOUNT_ID, Account, type AccountOwner, type AccountView } from './bank/account/account.entity.js';
export {
  AccountClosed,
  AccountNotFound,
  AccountRestricted,
  InsufficientFunds,
  mustBeOpen,
  mustNotBeClosed,
} from './bank/account/account.errors.js';
export { ACCOUNT_ID as ACCOUNT_ID_PARAMETER } from './bank/account/account.rest.js';
export { CLOSE_ACCOUNT, OPEN_ACCOUNT, READ_ACCOUNTS } from './bank/account/account.operations.js';
export { todayIn } from './bank/account/account.present.js';
export {
  AccountService,
  Reason,
  ReasonInput,
  type AccountCommand,
  type AccountViewer,
} from './bank/account/account.service.js';
export { FormerOwner } from './bank/account/ownership/former-owner.entity.js';
export { Beneficiary } from './bank/beneficiary/beneficiary.entity.js';
export { BeneficiaryService } from './bank/beneficiary/beneficiary.service.js';
export { Card } from './bank/card/card.entity.js';
export { CardNotFound, CardStateConflict } from './bank/card/card.errors.js';
export { CardService, type HeldCard } from './bank/card/card.service.js';
export { Event, type EventView } from './bank/event/event.entity.js';
export { END_ACCOUNT, READ_EVENTS } from './bank/event/event.operations.js';
export { EventService } from './bank/event/event.service.js';
export { Hold, type HoldView } from './bank/hold/hold.entity.js';
export { HoldEnded, HoldExceeded, HoldNotFound } from './bank/hold/hold.errors.js';
export { restHold } from './bank/hold/hold.rest.js';
export { HoldService, type Capture, type NamedHold } from './bank/hold/hold.service.js';
export { LIMIT_EXCEEDED } from './bank/limit/limit.errors.js';
export { Note } from './bank/note/note.entity.js';
export type { NoteService } from './bank/note/note.service.js';
export { CustomerErased, CustomerNotFound } from './bank/owner/customer.errors.js';
export { CUSTOMER_ID, ERASED_CUSTOMER, customerToRest } from './bank/owner/customer.rest.js';
export { READ_CUSTOMERS } from './bank/owner/customer.operations.js';
export { CustomerService, mustBeOf, mustNotBeErased } from './bank/owner/customer.service.js';
export { Customer, TaxStatus, WITHOUT_TAX_ID, type CustomerView } from './bank/owner/owner.entity.js';
export { OwnerService, type CustomerRead } from './bank/owner/owner.service.js';
export type { Address, PersonName } from './bank/person/person.entity.js';
export { Program, type ProgramRead } from './bank/program/program.entity.js';
export { ProgramService } from './bank/program/program.service.js';
export { PeriodCloseService } from './bank/statement/issue/period-close.service.js';
export { ProgramIncomplete } from './bank/statement/statement.errors.js';
export { StatementRun } from './bank/statement/run/statement-run.entity.js';
export type { StatementRunService } from './bank/statement/run/statement-run.service.js';
export type { TaxFormBox, TaxFormContent, TaxFormTextBox } from './bank/statement/statement.content.js';
export { Statement, type CorrectionKind } from './bank/statement/statement.entity.js';
export { StatementService } from './bank/statement/statement.service.js';
export {
  returnedBoxes,
  returnedRecipient,
  type TaxFormRead,
  type TaxFormService,
} from './bank/statement/tax-form.service.js';
export { PostingService, derivedDescription } from './bank/transaction/posting.service.js';
export { BOOKED_SQL, Transaction, type TransactionView } from './bank/transaction/transaction.entity.js';
export { AlreadyReversed, BeyondTransaction } from './bank/transaction/transaction.errors.js';
export { POSTING_ACTIONS, type PostedFacts } from './bank/transaction/transaction.events.js';
export { restTransaction } from './bank/transaction/transaction.rest-record.js';
export { TransactionService } from './bank/transaction/transaction.service.js';
export { Transfer, type TransferView } from './bank/transfer/transfer.entity.js';
export { TransferNotFound } from './bank/transfer/transfer.errors.js';
export { restTransfer } from './bank/transfer/transfer.rest.js';
export { MAKE_TRANSFER } from './bank/transfer/transfer.operations.js';
export { TransferService } from './bank/transfer/transfer.service.js';
