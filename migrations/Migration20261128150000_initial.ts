import { Migration } from '@mikro-orm/migrations';

/** The tables as the entities describe them, and what the database does itself. */
export class Migration20261128150000_initial extends Migration {
  override name = 'Migration20261128150000_initial';

  override up(): void | Promise<void> {
    this.createTables();
    this.tuneStorage();
    this.guardRecords();
    this.guardLedger();
    this.chainEvents();
    this.endAccounts();
  }

  override down(): void | Promise<void> {
    this.addSql(`drop view "event";`);
    this.addSql(
      `drop table "account", "account_limit", "approval", "balance_mark", "beneficiary", "card", "console_session", "customer", "account_owner", "denied_attempt", "ended_account", "account_event", "feed", "feed_state", "former_owner", "hold", "idempotency_key", "issue_batch", "issue_left_out", "issue_run", "issue_run_issuer", "issue_run_program", "note", "program", "program_event", "statement", "token_revocation", "transaction", "transfer", "transfer_key", "dpop_proof", "rate_limit", "key_holder";`,
    );
    this.addSql(`drop sequence event_id_seq;`);
    this.addSql(
      `drop function account_event_hash, card_number_digest, count_version, denied_attempt_hash, digest_card_number, feed_advance, keep_closed_at, keep_ended_id, mark_balances, move_balance_marks, program_event_hash, program_now, refuse_change;`,
    );
  }

  private createTables(): void {
    this.addSql(
      `create table "account" ("account_id" text not null, "program" text not null, "account_type" text not null, "currency" text not null, "time_zone" text not null, "status" text not null, "opened_on" date not null, "interest_bearing" boolean not null, "metadata" jsonb not null default '{}', "version" int not null default 1, "updated_at" timestamptz(3) not null default now(), "balance_minor" bigint not null default '0', "held_minor" bigint not null default 0, "overdraft_limit_minor" bigint not null default 0, "last_seq" bigint not null default '0', "event_seq" bigint not null default 0, "event_hash" bytea not null default '', "closed_at" timestamptz(3) null, "restricted_at" timestamptz(3) null, "restriction_reason" text null, "limit_day_from" timestamptz(3) null, primary key ("account_id"));`,
    );
    this.addSql(
      `create index "account_metadata" on "account" using gin ((jsonb_set('{}', array[program], metadata)) jsonb_path_ops) where metadata <> '{}';`,
    );
    this.addSql(
      `create index "account_program_closed_at" on "account" ("program", "closed_at") where closed_at is not null;`,
    );
    this.addSql(
      `create index "account_program_opened_on_account_id_index" on "account" ("program", "opened_on", "account_id");`,
    );
    this.addSql(
      `create index "account_program_currency_account_type_status_account_id_index" on "account" ("program", "currency", "account_type", "status", "account_id");`,
    );
    this.addSql(
      `create index "account_program_account_type_status_account_id_index" on "account" ("program", "account_type", "status", "account_id");`,
    );
    this.addSql(`create index "account_program_account_id_index" on "account" ("program", "account_id");`);

    this.addSql(
      `create table "account_limit" ("account_id" text not null, "per_transfer_minor" bigint null, "per_day_minor" bigint null, "per_30_days_minor" bigint null, "transfers_per_day" int null, "card_holds_per_day_minor" bigint null, "version" int not null default 1, primary key ("account_id"));`,
    );

    this.addSql(
      `create table "approval" ("approval_id" uuid not null, "program" text not null, "status" text not null, "command" text not null, "account_id" text null, "object" text null, "facts" json not null, "client_id" text not null, "subject" text not null, "actor" text null, "stated_reason" text null, "request_id" text not null, "requested_at" timestamptz(3) not null, "expires_at" timestamptz(3) not null, "decided_by" text null, "decided_at" timestamptz(3) null, "reason" text null, "code" text null, "customer_id" uuid null, "kept_back_minor" bigint not null default '0', "key_hash" bytea not null, "sealed" bytea not null, primary key ("approval_id"));`,
    );
    this.addSql(
      `create index "approval_program_expires_at_index" on "approval" ("program", "expires_at") where status = 'WAITING';`,
    );
    this.addSql(`create index "approval_account_id_index" on "approval" ("account_id");`);
    this.addSql(
      `create index "approval_program_requested_at_approval_id_index" on "approval" ("program", "requested_at", "approval_id");`,
    );

    this.addSql(
      `create table "balance_mark" ("account_id" text not null, "until" timestamptz(3) not null, "balance_minor" bigint not null, primary key ("account_id", "until"));`,
    );

    this.addSql(
      `create table "beneficiary" ("account_id" text not null, "beneficiary_id" uuid not null, "position" int not null, "name_first" text not null, "name_middle" text null, "name_last" text not null, "tax_id" text null, "tax_id_type" text null, "beneficiary_type" text not null, "relationship" text not null, "share_percentage" int not null, "version" int not null default 1, "updated_at" timestamptz(3) not null default now(), "sealed" bytea not null, primary key ("account_id", "beneficiary_id"));`,
    );
    this.addSql(
      `alter table "beneficiary" add constraint "beneficiary_account_id_position_unique" unique ("account_id", "position");`,
    );

    this.addSql(
      `create table "card" ("account_id" text not null, "card_id" text not null, "type" text not null, "number" text not null, "last4" text not null, "currency" text not null, "expiration" text not null, "card_holder_id" text not null, "card_product_id" text not null, "pin_is_set" boolean not null, "status" text not null, "created" timestamptz(3) not null, "metadata" jsonb not null default '{}', "version" int not null default 1, "updated_at" timestamptz(3) not null default now(), "sealed_number" bytea not null, "number_digest" bytea not null, "pin_verification" bytea null, primary key ("account_id", "card_id"));`,
    );
    this.addSql(`alter table "card" add constraint "card_number_digest_unique" unique ("number_digest");`);
    this.addSql(`create index "card_card_holder_id_index" on "card" ("card_holder_id");`);
    this.addSql(`create index "card_last4_account_id_card_id_index" on "card" ("last4", "account_id", "card_id");`);

    this.addSql(
      `create table "console_session" ("session_id" uuid not null, "secret_hash" bytea not null, "program" text not null, "subject" text not null, "roles" text[] not null, "sign_in" text not null, "sealed" bytea not null, "created_at" timestamptz(3) not null, "last_seen_at" timestamptz(3) not null, "asked_at" timestamptz(3) not null default now(), "confirmed_at" timestamptz(3) not null default now(), "ends_at" timestamptz(3) not null, "ended_at" timestamptz(3) null, primary key ("session_id"));`,
    );
    this.addSql(
      `alter table "console_session" add constraint "console_session_secret_hash_unique" unique ("secret_hash");`,
    );
    this.addSql(`create index "console_session_ends_at_index" on "console_session" ("ends_at");`);
    this.addSql(
      `create index "console_session_program_subject_created_at_index" on "console_session" ("program", "subject", "created_at");`,
    );

    this.addSql(
      `create table "customer" ("customer_id" uuid not null, "program" text not null, "bank_number" text null, "name_first" text not null, "name_middle" text null, "name_last" text not null, "is_organization" boolean not null default false, "tax_id" text null, "tax_id_country" text null, "government_id" text null, "tax_status" text null, "tax_status_on" date null, "second_tin_notice_on" date null, "electronic_tax_forms_on" date null, "erased_at" timestamptz(3) null, "account_ended_at" timestamptz(3) null, "metadata" jsonb not null default '{}', "version" int not null default 1, "updated_at" timestamptz(3) not null default now(), "tax_id_digest" bytea null, "contact_digests" text null, "sealed" bytea not null, primary key ("customer_id"));`,
    );
    this.addSql(
      `create index "customer_metadata" on "customer" using gin ((jsonb_set('{}', array[program], metadata)) jsonb_path_ops) where metadata <> '{}';`,
    );
    this.addSql(
      `create index "customer_account_ended" on "customer" ("customer_id") where account_ended_at is not null and erased_at is null;`,
    );
    this.addSql(
      `create index "customer_without_tax_id" on "customer" ("program", "customer_id") where (tax_id is null or tax_id_country <> 'US');`,
    );
    this.addSql(
      `create index "customer_tax_status" on "customer" ("program", "tax_status", "customer_id") where tax_status is not null;`,
    );
    this.addSql(
      `create index "customer_tax_id_digest_missing" on "customer" ("program", "customer_id") where tax_id is not null and tax_id_digest is null;`,
    );
    this.addSql(`create index "customer_tax_id_digest" on "customer" ("program", "tax_id_digest");`);
    this.addSql(`create index "customer_program_customer_id_index" on "customer" ("program", "customer_id");`);
    this.addSql(
      `create index "customer_contact_words" on "customer" using gin ((string_to_array(split_part(contact_digests, ':', 2), ' ')));`,
    );
    this.addSql(
      `create index "customer_tax_id" on "customer" ("program", ("right"(tax_id, 4)), "customer_id" nulls first);`,
    );
    this.addSql(
      `create index "customer_bank_number_key" on "customer" ("program", (translate(replace(replace(replace(replace(regexp_replace(lower(normalize(bank_number, NFKD)), '[\\u0300-\\u036f\\u0483-\\u0487\\u0591-\\u05bd\\u05bf-\\u05c7\\u0610-\\u061a\\u064b-\\u065f\\u0670\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe20-\\ufe2f\\u0009-\\u000d\\u0020\\u0085\\u1680\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u2064\\u3000\\ufeff\\u00ad\\u002d\\u2010-\\u201f\\u2212\\u2032\\u0027\\u0022\\u0060\\u00b4\\u02b9-\\u02bf\\u02c8\\u05be\\u05f3\\u055a\\u002e\\u00b7\\u30fb]', '', 'g'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), 'øłđðħŧıς', 'olddhtiσ')), "customer_id" nulls first);`,
    );
    this.addSql(
      `create index "customer_last_first_name_key" on "customer" ("program", (translate(replace(replace(replace(replace(regexp_replace(lower(normalize(name_last || coalesce(name_first, ''), NFKD)), '[\\u0300-\\u036f\\u0483-\\u0487\\u0591-\\u05bd\\u05bf-\\u05c7\\u0610-\\u061a\\u064b-\\u065f\\u0670\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe20-\\ufe2f\\u0009-\\u000d\\u0020\\u0085\\u1680\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u2064\\u3000\\ufeff\\u00ad\\u002d\\u2010-\\u201f\\u2212\\u2032\\u0027\\u0022\\u0060\\u00b4\\u02b9-\\u02bf\\u02c8\\u05be\\u05f3\\u055a\\u002e\\u00b7\\u30fb]', '', 'g'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), 'øłđðħŧıς', 'olddhtiσ')) text_pattern_ops, "customer_id" nulls first);`,
    );
    this.addSql(
      `create index "customer_first_name_key" on "customer" ("program", (translate(replace(replace(replace(replace(regexp_replace(lower(normalize(name_first, NFKD)), '[\\u0300-\\u036f\\u0483-\\u0487\\u0591-\\u05bd\\u05bf-\\u05c7\\u0610-\\u061a\\u064b-\\u065f\\u0670\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe20-\\ufe2f\\u0009-\\u000d\\u0020\\u0085\\u1680\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u2064\\u3000\\ufeff\\u00ad\\u002d\\u2010-\\u201f\\u2212\\u2032\\u0027\\u0022\\u0060\\u00b4\\u02b9-\\u02bf\\u02c8\\u05be\\u05f3\\u055a\\u002e\\u00b7\\u30fb]', '', 'g'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), 'øłđðħŧıς', 'olddhtiσ')), "customer_id" nulls first);`,
    );
    this.addSql(
      `create index "customer_whole_name_key" on "customer" ("program", (translate(replace(replace(replace(replace(regexp_replace(lower(normalize(coalesce(name_first, '') || coalesce(name_middle, '') || name_last, NFKD)), '[\\u0300-\\u036f\\u0483-\\u0487\\u0591-\\u05bd\\u05bf-\\u05c7\\u0610-\\u061a\\u064b-\\u065f\\u0670\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe20-\\ufe2f\\u0009-\\u000d\\u0020\\u0085\\u1680\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u2064\\u3000\\ufeff\\u00ad\\u002d\\u2010-\\u201f\\u2212\\u2032\\u0027\\u0022\\u0060\\u00b4\\u02b9-\\u02bf\\u02c8\\u05be\\u05f3\\u055a\\u002e\\u00b7\\u30fb]', '', 'g'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), 'øłđðħŧıς', 'olddhtiσ')), "customer_id" nulls first);`,
    );
    this.addSql(
      `create index "customer_full_name_key" on "customer" ("program", (translate(replace(replace(replace(replace(regexp_replace(lower(normalize(coalesce(name_first, '') || name_last, NFKD)), '[\\u0300-\\u036f\\u0483-\\u0487\\u0591-\\u05bd\\u05bf-\\u05c7\\u0610-\\u061a\\u064b-\\u065f\\u0670\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe20-\\ufe2f\\u0009-\\u000d\\u0020\\u0085\\u1680\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u2064\\u3000\\ufeff\\u00ad\\u002d\\u2010-\\u201f\\u2212\\u2032\\u0027\\u0022\\u0060\\u00b4\\u02b9-\\u02bf\\u02c8\\u05be\\u05f3\\u055a\\u002e\\u00b7\\u30fb]', '', 'g'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), 'øłđðħŧıς', 'olddhtiσ')), "customer_id" nulls first);`,
    );
    this.addSql(
      `create index "customer_last_name_key" on "customer" ("program", (translate(replace(replace(replace(replace(regexp_replace(lower(normalize(name_last, NFKD)), '[\\u0300-\\u036f\\u0483-\\u0487\\u0591-\\u05bd\\u05bf-\\u05c7\\u0610-\\u061a\\u064b-\\u065f\\u0670\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe20-\\ufe2f\\u0009-\\u000d\\u0020\\u0085\\u1680\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u2064\\u3000\\ufeff\\u00ad\\u002d\\u2010-\\u201f\\u2212\\u2032\\u0027\\u0022\\u0060\\u00b4\\u02b9-\\u02bf\\u02c8\\u05be\\u05f3\\u055a\\u002e\\u00b7\\u30fb]', '', 'g'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), 'øłđðħŧıς', 'olddhtiσ')), "customer_id" nulls first);`,
    );

    this.addSql(
      `create table "account_owner" ("account_id" text not null, "customer_id" uuid not null, "position" int not null, primary key ("account_id", "customer_id"));`,
    );
    this.addSql(
      `create index "account_owner_customer_id_account_id_index" on "account_owner" ("customer_id", "account_id");`,
    );
    this.addSql(
      `alter table "account_owner" add constraint "account_owner_account_id_position_unique" unique ("account_id", "position");`,
    );

    this.addSql(
      `create table "denied_attempt" ("program" text not null, "seq" bigint not null, "id" bigint not null, "occurred_at" timestamptz(3) not null, "client_id" text not null, "subject" text not null, "request_id" text not null, "action" text not null, "object" text null, "data" jsonb not null, "hash" bytea not null, "account_id" text null, primary key ("program", "seq"));`,
    );
    this.addSql(`alter table "denied_attempt" add constraint "denied_attempt_id_unique" unique ("id");`);
    this.addSql(
      `create index "denied_attempt_program_occurred_at_id_index" on "denied_attempt" ("program", "occurred_at", "id");`,
    );

    this.addSql(
      `create table "ended_account" ("account_id" text not null, "program" text not null, "ended_at" timestamptz(3) not null, primary key ("account_id"));`,
    );

    this.addSql(
      `create table "account_event" ("account_id" text not null, "chain_seq" bigint not null, "id" bigint not null, "occurred_at" timestamptz(3) not null, "program" text not null, "client_id" text not null, "subject" text not null, "request_id" text not null, "action" text not null, "object" text null, "data" jsonb not null, "hash" bytea not null, primary key ("account_id", "chain_seq"));`,
    );
    this.addSql(`alter table "account_event" add constraint "account_event_id_unique" unique ("id");`);
    this.addSql(
      `create index "account_event_program_occurred_at_id_index" on "account_event" ("program", "occurred_at", "id");`,
    );

    this.addSql(
      `create table "feed" ("position" bigint not null, "event_id" bigint not null, "program" text not null, "account_id" text null, primary key ("position"));`,
    );
    this.addSql(`create index "feed_account_id_position_index" on "feed" ("account_id", "position");`);
    this.addSql(`create index "feed_program_position_index" on "feed" ("program", "position");`);

    this.addSql(
      `create table "feed_state" ("id" int not null default 1, "position" bigint not null default 0, "last_event_id" bigint not null default 0, "missing" int8multirange not null default '{}', "missing_before" xid8 not null default '0', "nodes_before" jsonb null, "newly_missing" int8multirange not null default '{}', "cursor_key" bytea not null default uuid_send(gen_random_uuid()), "history" text not null default '', primary key ("id"));`,
    );

    this.addSql(
      `create table "former_owner" ("account_id" text not null, "owned_until" timestamptz(3) not null, "customer_id" uuid not null, "position" int not null, primary key ("account_id", "owned_until", "customer_id"));`,
    );
    this.addSql(
      `create index "former_owner_customer_id_account_id_index" on "former_owner" ("customer_id", "account_id");`,
    );

    this.addSql(
      `create table "hold" ("account_id" text not null, "hold_id" text not null, "program" text not null, "seq" bigint not null, "currency" text not null, "amount_minor" bigint not null, "captured_minor" bigint not null, "captures" int not null, "status" text not null, "description" text not null, "reference" text null, "card_id" text null, "metadata" jsonb not null default '{}', "placed_at" timestamptz(3) not null, "expires_at" timestamptz(3) not null, "ended_at" timestamptz(3) null, "updated_at" timestamptz(3) not null, primary key ("account_id", "hold_id"));`,
    );
    this.addSql(
      `create index "hold_metadata" on "hold" using gin ((jsonb_set('{}', array[account_id], metadata)) jsonb_path_ops) where metadata <> '{}';`,
    );
    this.addSql(`create index "hold_of_cards" on "hold" ("account_id", "placed_at") where card_id is not null;`);
    this.addSql(`create index "hold_active" on "hold" ("program", "expires_at") where status = 'ACTIVE';`);
    this.addSql(`alter table "hold" add constraint "hold_account_id_seq_unique" unique ("account_id", "seq");`);

    this.addSql(
      `create table "idempotency_key" ("key_hash" bytea not null, "program" text not null, "outcome" bytea not null, "expires_at" timestamptz(3) not null, primary key ("key_hash"));`,
    );
    this.addSql(`create index "idempotency_key_expires_at_index" on "idempotency_key" ("expires_at");`);

    this.addSql(
      `create table "issue_batch" ("run_id" uuid not null, "from_account_id" text not null, "to_account_id" text null, "account_ids" text[] null, "done_at" timestamptz(3) null, primary key ("run_id", "from_account_id"));`,
    );

    this.addSql(
      `create table "issue_left_out" ("run_id" uuid not null, "program" text not null, "account_id" text not null, "reasons" text[] not null, primary key ("run_id", "program", "account_id"));`,
    );

    this.addSql(
      `create table "issue_run" ("run_id" uuid not null, "accounts" int not null, "done" int not null default 0, "issued" int not null default 0, "corrected" int not null default 0, "early" int not null default 0, "left_out" int not null default 0, "unprintable" int not null default 0, "started_at" timestamptz(3) not null default now(), "started_by" text null, "finished_at" timestamptz(3) null, "stopped_at" timestamptz(3) null, "kind" text not null, "period" text not null, "program" text null, "issue_incomplete" boolean not null default false, "rerun_of" uuid null, primary key ("run_id"));`,
    );

    this.addSql(
      `create table "issue_run_issuer" ("run_id" uuid not null, "program" text not null, "sealed" bytea not null, primary key ("run_id", "program"));`,
    );

    this.addSql(
      `create table "issue_run_program" ("run_id" uuid not null, "program" text not null, "accounts" int not null, "done" int not null default 0, "issued" int not null default 0, "corrected" int not null default 0, "early" int not null default 0, "left_out" int not null default 0, "unprintable" int not null default 0, primary key ("run_id", "program"));`,
    );
    this.addSql(`create index "issue_run_program_program_index" on "issue_run_program" ("program");`);

    this.addSql(
      `create table "note" ("note_id" uuid not null, "program" text not null, "account_id" text null, "transaction_id" text null, "customer_id" uuid null, "subject" text not null, "client_id" text not null, "created_at" timestamptz(3) not null, "sealed" bytea not null, primary key ("note_id"));`,
    );
    this.addSql(
      `create index "note_program_customer_id_created_at_note_id_index" on "note" ("program", "customer_id", "created_at", "note_id");`,
    );
    this.addSql(
      `create index "note_program_account_id_created_at_note_id_index" on "note" ("program", "account_id", "created_at", "note_id");`,
    );

    this.addSql(
      `create table "program" ("program_id" text not null, "name" text not null, "letterhead" json null, "payer" json null, "error_resolution" json null, "logo" json null, "approvals" json null, "transfers" json null, "clients" text[] not null, "check_funds" boolean not null default false, "exact_search" boolean not null default false, "statements_without_activity" text not null default 'WITH_BALANCE', "operator_groups" json not null default '[]', "retention_years" int null, "sealed" bytea not null, "version" int not null default 1, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("program_id"));`,
    );

    this.addSql(
      `create table "program_event" ("program" text not null, "seq" bigint not null, "id" bigint not null, "occurred_at" timestamptz(3) not null, "client_id" text not null, "subject" text not null, "request_id" text not null, "action" text not null, "object" text null, "data" jsonb not null, "hash" bytea not null, primary key ("program", "seq"));`,
    );
    this.addSql(`alter table "program_event" add constraint "program_event_id_unique" unique ("id");`);
    this.addSql(
      `create index "program_event_program_object_occurred_at_id_index" on "program_event" ("program", "object", "occurred_at", "id");`,
    );
    this.addSql(
      `create index "program_event_program_occurred_at_id_index" on "program_event" ("program", "occurred_at", "id");`,
    );

    this.addSql(
      `create table "statement" ("account_id" text not null, "statement_id" uuid not null, "program" text not null, "document_type" text not null, "source" text not null, "statement_date" date not null, "description" text not null, "issued_at" timestamptz(3) not null default now(), "corrects_statement_id" uuid null, "correction_kind" text null, "same_return_as" uuid null, "through_seq" bigint null, "amount_minor" bigint null, "time_zone" text null, "size_bytes" int not null, "sha256" bytea not null, "sealed_key" bytea not null, "pdf" bytea not null, "content" bytea null, primary key ("account_id", "statement_id"));`,
    );
    this.addSql(`create unique index "statement_corrected_once" on "statement" ("account_id", "corrects_statement_id")
    where corrects_statement_id is not null;`);
    this
      .addSql(`create unique index "statement_issued_once" on "statement" ("account_id", "document_type", "statement_date")
    where source = 'PLATFORM' and corrects_statement_id is null;`);
    this.addSql(
      `create index "statement_newest" on "statement" ("account_id", "statement_date", "issued_at", "statement_id");`,
    );

    this.addSql(
      `create table "token_revocation" ("program" text not null, "kind" text not null, "value" text not null, "revocation_id" uuid not null, "latest_issued_at" timestamptz(3) null, "revoked_at" timestamptz(3) not null, primary key ("program", "kind", "value"));`,
    );
    this.addSql(`create index "token_revocation_revoked_at_index" on "token_revocation" ("revoked_at");`);
    this.addSql(
      `create index "token_revocation_program_revoked_at_revocation_id_index" on "token_revocation" ("program", "revoked_at", "revocation_id");`,
    );
    this.addSql(
      `alter table "token_revocation" add constraint "token_revocation_revocation_id_unique" unique ("revocation_id");`,
    );

    this.addSql(
      `create table "transaction" ("account_id" text not null, "seq" bigint not null, "program" text not null, "transaction_id" text not null, "reference_transaction_id" text null, "reference" text null, "amount_minor" bigint not null, "balance_minor" bigint not null, "debit_credit_memo" text not null, "category" text not null, "transaction_type" text not null, "status" text not null, "description" text null, "memo" text null, "transaction_time" timestamp(0) not null, "transaction_timestamp" timestamptz(3) not null, "posted_time" timestamp(0) null, "posted_timestamp" timestamptz(3) null, "occurred_at" timestamptz(3) generated always as (coalesce(posted_timestamp, transaction_timestamp)) stored not null, "additional_information" jsonb not null, "line_item" jsonb not null, primary key ("account_id", "seq"));`,
    );
    this.addSql(
      `create index "transaction_occurred" on "transaction" ("program", "occurred_at", "account_id", "seq");`,
    );
    this.addSql(`create index "transaction_type" on "transaction" ("account_id", "transaction_type", "seq");`);
    this.addSql(`create index "transaction_reference" on "transaction" ("account_id", "reference_transaction_id")
    include ("debit_credit_memo", "amount_minor")
    where reference_transaction_id is not null and status = 'POSTED' and debit_credit_memo <> 'MEMO';`);
    this.addSql(`create index "transaction_posted" on "transaction" ("account_id", "posted_timestamp", "seq")
    include ("transaction_type", "category", "status", "debit_credit_memo", "amount_minor");`);
    this.addSql(
      `alter table "transaction" add constraint "transaction_account_id_transaction_id_unique" unique ("account_id", "transaction_id");`,
    );

    this.addSql(
      `create table "transfer" ("account_id" text not null, "transfer_id" text not null, "program" text not null, "seq" bigint not null, "from_account_id" text not null, "to_account_id" text not null, "currency" text not null, "amount_minor" bigint not null, "status" text not null, "description" text null, "memo" text null, "reference" text null, "metadata" jsonb not null default '{}', "made_at" timestamptz(3) not null, "reversed_at" timestamptz(3) null, primary key ("account_id", "transfer_id"));`,
    );
    this.addSql(
      `create index "transfer_metadata" on "transfer" using gin ((jsonb_set('{}', array[program], metadata)) jsonb_path_ops) where metadata <> '{}';`,
    );
    this.addSql(
      `create index "transfer_reference" on "transfer" ("program", "reference", "made_at", "transfer_id") where account_id = from_account_id and reference is not null;`,
    );
    this.addSql(
      `create index "transfer_of_program" on "transfer" ("program", "status", "made_at", "transfer_id") where account_id = from_account_id;`,
    );
    this.addSql(`create index "transfer_outgoing" on "transfer" ("account_id", "made_at") include ("amount_minor")
    where account_id = from_account_id and status = 'MADE';`);
    this.addSql(`alter table "transfer" add constraint "transfer_account_id_seq_unique" unique ("account_id", "seq");`);

    this.addSql(
      `create table "transfer_key" ("program" text not null, "transfer_id" text not null, "from_account_id" text not null, primary key ("program", "transfer_id"));`,
    );

    this.addSql(
      `create table "dpop_proof" ("proof_hash" bytea not null, "ends_at" timestamptz(3) not null, primary key ("proof_hash"));`,
    );
    this.addSql(`create index "dpop_proof_ends_at_index" on "dpop_proof" ("ends_at");`);

    this.addSql(`alter table "account" add constraint "account_held" check (held_minor >= 0);`);

    this.addSql(
      `alter table "account_limit" add constraint "account_limit_account_id_foreign" foreign key ("account_id") references "account" ("account_id") on update no action on delete no action;`,
    );

    this.addSql(
      `alter table "balance_mark" add constraint "balance_mark_account_id_foreign" foreign key ("account_id") references "account" ("account_id") on update no action on delete no action;`,
    );

    this.addSql(
      `alter table "beneficiary" add constraint "beneficiary_account_id_foreign" foreign key ("account_id") references "account" ("account_id") on update no action on delete no action;`,
    );
    this.addSql(
      `alter table "beneficiary" add constraint "beneficiary_share_percentage" check (share_percentage BETWEEN 0 AND 100);`,
    );

    this.addSql(
      `alter table "card" add constraint "card_account_id_foreign" foreign key ("account_id") references "account" ("account_id") on update no action on delete no action;`,
    );

    this.addSql(
      `alter table "console_session" add constraint "console_session_sign_in" check (sign_in in ('demo', 'oidc'));`,
    );

    this.addSql(
      `alter table "account_owner" add constraint "account_owner_account_id_foreign" foreign key ("account_id") references "account" ("account_id") on update no action on delete no action;`,
    );
    this.addSql(
      `alter table "account_owner" add constraint "account_owner_customer_id_foreign" foreign key ("customer_id") references "customer" ("customer_id") on update no action on delete no action;`,
    );

    this.addSql(`alter table "feed_state" add constraint "feed_state_single" check (id = 1);`);

    this.addSql(
      `alter table "former_owner" add constraint "former_owner_account_id_foreign" foreign key ("account_id") references "account" ("account_id") on update no action on delete no action;`,
    );
    this.addSql(
      `alter table "former_owner" add constraint "former_owner_customer_id_foreign" foreign key ("customer_id") references "customer" ("customer_id") on update no action on delete no action;`,
    );

    this.addSql(
      `alter table "hold" add constraint "hold_account_id_foreign" foreign key ("account_id") references "account" ("account_id") on update no action on delete no action;`,
    );
    this.addSql(`alter table "hold" add constraint "hold_ends" check ((status = 'ACTIVE') = (ended_at is null));`);
    this.addSql(
      `alter table "hold" add constraint "hold_amounts" check (amount_minor > 0 and captured_minor >= 0 and captured_minor <= amount_minor);`,
    );

    this.addSql(
      `alter table "program" add constraint "program_retention_years" check (retention_years between 1 and 100);`,
    );

    this.addSql(
      `alter table "statement" add constraint "statement_account_id_foreign" foreign key ("account_id") references "account" ("account_id") on update no action on delete no action;`,
    );
    this.addSql(
      `alter table "statement" add constraint "statement_issued" check ((source = 'PLATFORM') = (through_seq is not null and amount_minor is not null and content is not null));`,
    );

    this.addSql(
      `alter table "token_revocation" add constraint "token_revocation_issued" check ((kind = 'TOKEN') = (latest_issued_at is null));`,
    );
    this.addSql(
      `alter table "token_revocation" add constraint "token_revocation_kind" check (kind in ('TOKEN', 'CLIENT', 'SUBJECT'));`,
    );

    this.addSql(
      `alter table "transaction" add constraint "transaction_account_id_foreign" foreign key ("account_id") references "account" ("account_id") on update no action on delete no action;`,
    );
    this.addSql(`alter table "transaction" add constraint "transaction_amount" check (amount_minor >= 0);`);

    this.addSql(
      `alter table "transfer" add constraint "transfer_account_id_foreign" foreign key ("account_id") references "account" ("account_id") on update no action on delete no action;`,
    );
    this.addSql(
      `alter table "transfer" add constraint "transfer_reversed" check ((status = 'REVERSED') = (reversed_at is not null));`,
    );
    this.addSql(
      `alter table "transfer" add constraint "transfer_accounts" check (from_account_id <> to_account_id and account_id in (from_account_id, to_account_id));`,
    );
    this.addSql(`alter table "transfer" add constraint "transfer_amount" check (amount_minor > 0);`);
  }

  private tuneStorage(): void {
    // Unlogged: a crash of the server may empty it, which gives every client a new window and spares the log all of these
    // writes.
    this.addSql(
      `create unlogged table "rate_limit" ("key" text not null, "points" int not null, "expire" bigint null, primary key ("key"));`,
    );
    this.addSql(
      `create table "key_holder" ("holder_id" uuid not null, "host" text not null, "pid" int not null, "key_ids" text[] not null, "seen_at" timestamptz(3) not null default now(), primary key ("holder_id"));`,
    );
    // A transaction has an id before it takes the number of an event: see feed_advance.
    this.addSql(`create sequence event_id_seq;`);
    this.addSql(`insert into "feed_state" default values;`);
    // Encrypted bytes do not shrink, so trying to compress them is a waste.
    this.addSql(`alter table "statement" alter "pdf" set storage external, alter "content" set storage external;`);
  }

  /** Times of closing, versions, digests of card numbers, and the present of a program. */
  private guardRecords(): void {
    // Once it is known when an account was closed, that stays.
    this.addSql(`create function keep_closed_at() returns trigger language plpgsql as $$
      begin
        if new.status <> 'CLOSED' then
          new.closed_at := null;
        elsif tg_op = 'UPDATE' and old.status = 'CLOSED' then
          new.closed_at := coalesce(old.closed_at, new.closed_at);
        else
          new.closed_at := coalesce(new.closed_at, now());
        end if;
        return new;
      end
    $$;`);
    this.addSql(
      `create trigger keep_closed_at before insert or update of status, closed_at on "account" for each row execute function keep_closed_at();`,
    );
    // Counts the changes of a record, whoever makes them, and gives the time of one that comes without it. A column that
    // the API shows is named here, and none that another key seals again.
    this.addSql(`create function count_version() returns trigger language plpgsql as $$
      begin
        new.version := old.version + 1;
        if new.updated_at = old.updated_at then
          new.updated_at := now();
        end if;
        return new;
      end
    $$;`);
    this.addSql(
      `create trigger count_version before update of account_type, currency, time_zone, status, opened_on, interest_bearing, metadata, closed_at, restricted_at, restriction_reason on "account" for each row execute function count_version();`,
    );
    this.addSql(
      `create trigger count_version before update of name_first, name_middle, name_last, tax_id, tax_id_type, beneficiary_type, relationship, share_percentage on "beneficiary" for each row execute function count_version();`,
    );
    this.addSql(
      `create trigger count_version before update of type, number, last4, currency, expiration, card_holder_id, card_product_id, pin_is_set, status, created, metadata on "card" for each row execute function count_version();`,
    );
    this.addSql(
      `create trigger count_version before update of bank_number, name_first, name_middle, name_last, is_organization, tax_id, tax_id_country, tax_status, tax_status_on, second_tin_notice_on, electronic_tax_forms_on, metadata, erased_at on "customer" for each row execute function count_version();`,
    );
    // A card number is unique in its program. The digest of a number is keyed, so SHA-256 over it and the program needs no
    // key: what is stored can be made here, and it does not show that two programs have the same number. The byte 1 behind
    // the id of the key marks what was made so, so that nothing is made twice, for example when a dump is restored into
    // these tables.
    this
      .addSql(`create function card_number_digest(keyed bytea, program text) returns bytea language sql immutable as $$
      select case when octet_length(keyed) = get_byte(keyed, 0) + 33
        then substring(keyed from 1 for get_byte(keyed, 0) + 1) || '\\x01'::bytea || sha256(keyed || convert_to(program, 'UTF8'))
        else keyed end
    $$;`);
    // Every writer gives the keyed digest: the gateway and a rotation of keys.
    this.addSql(`create function digest_card_number() returns trigger language plpgsql as $$
      begin
        new.number_digest := card_number_digest(new.number_digest, (select program from account where account_id = new.account_id));
        return new;
      end
    $$;`);
    this.addSql(
      `create trigger digest_number before insert or update of "number_digest" on "card" for each row execute function digest_card_number();`,
    );
    // The present of a program. A sandbox moves it.
    this.addSql(`create function program_now(program text) returns timestamptz language sql stable as $$
      select date_trunc('milliseconds', now())
    $$;`);
  }

  private guardLedger(): void {
    // What is on a ledger or in a chain of events stays as it is: a correction is a new entry. Only inside of end_account,
    // where the owner of the tables is at work, rows of an ended account go. A setting alone could be made by anybody.
    this.addSql(`create function refuse_change() returns trigger language plpgsql
      set search_path = pg_catalog, pg_temp as $$
      begin
        if tg_op = 'DELETE' and tg_table_name in ('account_event', 'transaction', 'statement')
          and current_setting('tillgate.ending_account', true) <> ''
          and (select c.relowner from pg_class c where c.oid = tg_relid) = current_user::regrole then
          return old;
        end if;
        raise exception '% of % is refused: it is append-only', tg_op, tg_table_name using errcode = 'restrict_violation';
      end
    $$;`);
    this.addSql(
      `create trigger append_only before update or delete or truncate on "transaction" for each statement execute function refuse_change();`,
    );
    // Of an issued document only the seal of its key is ever made anew.
    this.addSql(
      `create trigger append_only before update of account_id, statement_id, program, document_type, source, statement_date, description, issued_at, corrects_statement_id, correction_kind, through_seq, amount_minor, size_bytes, sha256, pdf, content or delete or truncate on "statement" for each statement execute function refuse_change();`,
    );
    // What is posted late, with a time before the last mark, is in every mark after it. One pass in the order of time sums
    // it up for all of them.
    this.addSql(`create function move_balance_marks() returns trigger language plpgsql as $$
      begin
        update balance_mark b set balance_minor = b.balance_minor + m.moved
          from (
            with late as materialized (
              select t.account_id, t.posted_timestamp as posted, case when not (t.status = 'POSTED' and t.debit_credit_memo <> 'MEMO') then 0 when t.debit_credit_memo = 'CREDIT' then t.amount_minor else -t.amount_minor end as moved
                from (
                  select d.account_id, (select max(b.until) from balance_mark b where b.account_id = d.account_id) as until
                    from (select distinct account_id from added) d
                ) k join added t on t.account_id = k.account_id
                where t.posted_timestamp < k.until and t.status = 'POSTED' and t.debit_credit_memo <> 'MEMO'
            ), first as (select account_id, min(posted) as posted from late group by account_id)
            select u.account_id, u.at, u.is_late,
              sum(u.moved) over (partition by u.account_id order by u.at, u.is_late rows unbounded preceding)::int8 as moved
              from (select account_id, posted, true, moved from late
                union all select b.account_id, b.until, false, 0 from first f
                  join balance_mark b on b.account_id = f.account_id and b.until > f.posted) u(account_id, at, is_late, moved)
          ) m
          where b.account_id = m.account_id and b.until = m.at and not m.is_late and m.moved <> 0;
        return null;
      end
    $$;`);
    this.addSql(
      `create trigger balance_marks after insert on "transaction" referencing new table as added for each statement execute function move_balance_marks();`,
    );
    // Adds the marks that are missing around the entries of accounts behind given numbers. Those behind the last mark
    // are all in one part of the ledger; each of the others is looked up. Entries of one instant are never parted.
    // A planner that does not know yet how large a growing ledger is would read all of it, so only indexes are used.
    this.addSql(`create function mark_balances(account_ids text[], seqs int8[]) returns void language plpgsql
      set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off as $$
      begin
        perform from account a where a.account_id = any(account_ids) order by a.account_id for no key update;
        with point as materialized (
          select distinct k.account_id, case when t.posted_timestamp < k.until then t.posted_timestamp else 'infinity' end as at
            from (
              select u.account_id, u.seq, (select max(b.until) from balance_mark b where b.account_id = u.account_id) as until
                from unnest(account_ids, seqs) u(account_id, seq)
            ) k join "transaction" t on t.account_id = k.account_id and t.seq > k.seq
            where t.posted_timestamp is not null
        ), part as materialized (
          select distinct p.account_id, lo.until as since, hi.until, coalesce(lo.balance_minor, 0) as balance
            from point p
            left join lateral (select b.until, b.balance_minor from balance_mark b
              where b.account_id = p.account_id and b.until <= p.at order by b.until desc limit 1) lo on true
            left join lateral (select b.until from balance_mark b
              where b.account_id = p.account_id and b.until > p.at order by b.until limit 1) hi on true
        ), instant as (
          select p.account_id, p.since, p.balance, e.at, e.entries, e.moved
            from part p cross join lateral (
              select t.posted_timestamp as at, count(*) as entries, sum(case when not (t.status = 'POSTED' and t.debit_credit_memo <> 'MEMO') then 0 when t.debit_credit_memo = 'CREDIT' then t.amount_minor else -t.amount_minor end)::int8 as moved from "transaction" t
              where t.account_id = p.account_id and t.posted_timestamp >= coalesce(p.since, '-infinity')
                and t.posted_timestamp < coalesce(p.until, 'infinity') group by t.posted_timestamp) e
        ), counted as (
          select i.account_id, i.at, i.balance + (sum(i.moved) over w)::int8 - i.moved as balance,
            (sum(i.entries) over w)::int8 - i.entries as before, lag(i.entries, 1, 0::int8) over w as last,
            (sum(i.entries) over (partition by i.account_id, i.since))::int8 as entries
            from instant i window w as (partition by i.account_id, i.since order by i.at)
        )
        insert into balance_mark (account_id, until, balance_minor) select c.account_id, c.at, c.balance from counted c
          where c.entries >= 128 and c.before / 64 > (c.before - c.last) / 64;
      end
    $$;`);
  }

  private chainEvents(): void {
    // The hash of an event is of what it says and of the hash of the event before it in its chain. Changing one event
    // means changing all that follow it, and who keeps a later hash elsewhere sees it.
    this
      .addSql(`create function account_event_hash(previous bytea, seq bigint, id bigint, at timestamptz, program text, client_id text, subject text,
      request_id text, action text, account_id text, object text, data jsonb) returns bytea language sql stable as $$
      select sha256(previous || convert_to(concat_ws(',', seq, id, floor(extract(epoch from at) * 1000)::int8, to_json(program),
        to_json(client_id), to_json(subject), to_json(request_id), to_json(action), to_json(account_id), to_json(object), data), 'UTF8'))
    $$;`);
    this
      .addSql(`create function program_event_hash(previous bytea, seq bigint, id bigint, at timestamptz, program text, client_id text, subject text,
      request_id text, action text, account_id text, object text, data jsonb) returns bytea language sql stable as $$
      select sha256(previous || convert_to(concat_ws(',', '"program"', seq, id, extract(epoch from at), to_json(program), '"DONE"',
        to_json(client_id), to_json(subject), to_json(request_id), to_json(action), coalesce(to_json(object)::text, 'null'), data), 'UTF8'))
    $$;`);
    this
      .addSql(`create function denied_attempt_hash(previous bytea, seq bigint, id bigint, at timestamptz, program text, client_id text, subject text,
      request_id text, action text, account_id text, object text, data jsonb) returns bytea language sql stable as $$
      select sha256(previous || convert_to(concat_ws(',', '"denied"', seq, id, extract(epoch from at), to_json(program), '"DENIED"',
        to_json(client_id), to_json(subject), to_json(request_id), to_json(action), coalesce(to_json(account_id)::text, 'null'),
        coalesce(to_json(object)::text, 'null'), data), 'UTF8'))
    $$;`);
    this.addSql(
      `create trigger append_only before update or delete or truncate on "account_event" for each statement execute function refuse_change();`,
    );
    this.addSql(
      `create trigger append_only before update or delete or truncate on "program_event" for each statement execute function refuse_change();`,
    );
    this.addSql(
      `create trigger append_only before update or delete or truncate on "denied_attempt" for each statement execute function refuse_change();`,
    );
    this.addSql(`create view "event" as
      select id, occurred_at, program, 'DONE'::text as outcome, client_id, subject, request_id, action, account_id, object, data,
        chain_seq, null::bigint as denied_seq, null::bigint as program_seq, hash from account_event
      union all
      select id, occurred_at, program, 'DONE'::text, client_id, subject, request_id, action, null::text, object, data,
        null::bigint, null::bigint, seq, hash from program_event
      union all
      select id, occurred_at, program, 'DENIED'::text, client_id, subject, request_id, action, account_id, object, data,
        null::bigint, seq, null::bigint, hash from denied_attempt;`);
    this.addSql(`comment on view "event" is 'All events: those of accounts and of programs, and denied attempts.';`);
    // Gives committed events their positions. One transaction does it at a time: it holds the row of feed_state until
    // its own commit, so positions are committed in their order.
    //
    // The number of an event is taken before its transaction commits, so a number may be missing when higher ones are
    // there. It comes later, or never if its transaction was rolled back. Missing numbers are kept, and looked for each
    // time, until every transaction that could bring them has ended. A number that was missing in one call belongs to a
    // transaction that had its id before the next call, so it can come no more once all transactions older than that
    // call have ended. What a statement sees and the oldest transaction that still runs are of one snapshot.
    //
    // In a database that was restored elsewhere, or on a server that took over, transactions that ran before are gone,
    // and positions may have been given out that are not here. Then positions jump, so that none is given twice.
    this
      .addSql(`create function feed_advance(most int, out last_position bigint, out more boolean, out missing int, out lag_seconds float8)
      language plpgsql as $$
      declare
        state feed_state;
        present_history text := (select system_identifier from pg_control_system()) || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8);
        numbers int8multirange;
        last_found bigint;
        numbered bigint;
        oldest_running xid8;
      begin
        select s.position, false, 0, 0 into last_position, more, missing, lag_seconds from feed_state s;
        if not exists (select from feed_state s where s.history <> present_history or s.missing <> '{}' or s.newly_missing <> '{}'
            or exists (select from event where id > s.last_event_id)) then
          return;
        end if;
        select * into state from feed_state for update skip locked;
        if not found then
          return;
        end if;
        if state.history <> present_history then
          if state.history <> '' then
            state.position := (state.position / 4294967296 + 1) * 4294967296;
          end if;
          state.missing_before := pg_current_xact_id();
          state.history := present_history;
        end if;

        with fresh as (
          select id, outcome, program, account_id, occurred_at from event where id > state.last_event_id order by id limit most
        ), late as (
          select e.id, e.outcome, e.program, e.account_id, e.occurred_at
          from unnest(state.missing + state.newly_missing) r join event e on e.id >= lower(r) and e.id < upper(r)
        ), seen as (
          select * from fresh union all select * from late
        ), positioned as (
          insert into feed (position, event_id, program, account_id)
          select state.position + row_number() over (order by id), id, program, account_id from seen where outcome = 'DONE'
          returning 1
        )
        select (select max(id) from fresh), (select count(*) = most from fresh), coalesce(range_agg(int8range(id, id, '[]')), '{}'),
            coalesce(extract(epoch from clock_timestamp() - min(occurred_at)), 0), (select count(*) from positioned),
            pg_snapshot_xmin(pg_current_snapshot())
          into last_found, more, numbers, lag_seconds, numbered, oldest_running from seen;

        state.missing := state.missing - numbers;
        state.newly_missing := state.newly_missing - numbers;
        if oldest_running >= state.missing_before then
          state.missing := state.newly_missing;
          state.newly_missing := '{}';
          state.missing_before := pg_current_xact_id();
        end if;
        if last_found > state.last_event_id then
          state.newly_missing := state.newly_missing + (int8multirange(int8range(state.last_event_id, last_found, '(]')) - numbers);
          state.last_event_id := last_found;
        end if;
        state.position := state.position + numbered;

        update feed_state set position = state.position, last_event_id = state.last_event_id, missing = state.missing,
            missing_before = state.missing_before, newly_missing = state.newly_missing, history = state.history
          where feed_state is distinct from state;
        last_position := state.position;
        missing := (select count(*) from unnest(state.missing + state.newly_missing));
      end
    $$;`);
  }

  private endAccounts(): void {
    this.addSql(
      `create trigger append_only before update or delete or truncate on "ended_account" for each statement execute function refuse_change();`,
    );
    // The ids of deleted accounts stay, whatever deletes them.
    this.addSql(`create function keep_ended_id() returns trigger language plpgsql security definer as $$
      begin
        insert into ended_account (account_id, program, ended_at) values (old.account_id, old.program, now())
          on conflict do nothing;
        return null;
      end
    $$;`);
    this.addSql(
      `create trigger keep_ended_id after delete on "account" for each row execute function keep_ended_id();`,
    );
    // Nobody can put other tables in their places.
    this.addSql(`do $$ begin
      execute format('alter function keep_ended_id() set search_path = %I, pg_temp', current_schema());
    end $$;`);
  }
}
