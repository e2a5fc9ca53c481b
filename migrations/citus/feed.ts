/** Numbers that are missing are looked for one by one, so many at most at a time. */
const MOST_MISSING = 10_000;

/**
 * `feed_advance` where events are on many nodes. As everywhere, a number that is missing belongs to a transaction that
 * had its id before, and is given up when all transactions of that time have ended. What is different:
 *
 * - A transaction ends here only after its events are committed on their node, so the oldest transaction that runs is
 *   read before the events: those of the ones that have ended are seen.
 * - It may end here first, and then on its nodes: one that has written on several nodes is prepared on each, and one on
 *   a single node may still be committing there when its session here is gone, as after a crash. It had its ids on the
 *   nodes by then. So when it has ended here, each node is asked for a new id, and nothing is given up before all
 *   transactions of each node with lower ids have ended, prepared ones as well. Sessions and their process ids, which
 *   are used again, decide nothing.
 * - A coordinator that took over may have been behind, and its sequence as well, while nodes have what was committed. So
 *   the sequence goes on behind the largest number of all nodes.
 * - Each statement reads one table, which Citus plans without moving rows between nodes, and sees what is committed
 *   when it runs. So missing numbers are looked for last: an event never comes before an earlier one of its account.
 */
export const FEED_ADVANCE = `create or replace function feed_advance(most int,
    out last_position bigint, out more boolean, out missing int, out lag_seconds float8) language plpgsql as $$
  declare
    state feed_state;
    present_history text := (select system_identifier from pg_control_system()) || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8);
    oldest_running xid8;
    nodes jsonb;
    is_undecided boolean := false;
    wanted bigint[];
    account_ids bigint[]; account_programs text[]; accounts text[]; account_at timestamptz;
    program_ids bigint[]; programs text[]; program_at timestamptz;
    denied_ids bigint[];
    late_ids bigint[]; late_programs text[]; late_accounts text[]; late_at timestamptz;
    late_program_ids bigint[]; late_of text[];
    late_denied_ids bigint[];
    numbers int8multirange;
    last_found bigint;
    numbered bigint;
    last_account bigint; last_program bigint; last_denied bigint;
  begin
    select * into state from feed_state;
    last_position := state.position;
    more := false;
    missing := 0;
    lag_seconds := 0;
    if state.history = present_history and state.missing = '{}' and state.newly_missing = '{}'
        and pg_sequence_last_value('event_id_seq') <= state.last_event_id then
      return;
    end if;
    select * into state from feed_state for update skip locked;
    if not found then
      return;
    end if;
    if state.history <> present_history then
      if state.history <> '' then
        state.position := (state.position / 4294967296 + 1) * 4294967296;
        select max(id) into last_account from account_event;
        select max(id) into last_program from program_event;
        select max(id) into last_denied from denied_attempt;
        last_found := greatest(last_account, last_program, last_denied);
        -- Only then: others take numbers meanwhile.
        if last_found > nextval('event_id_seq') then
          perform setval('event_id_seq', last_found);
        end if;
      end if;
      state.missing_before := pg_current_xact_id();
      state.nodes_before := null;
      state.history := present_history;
    end if;

    select pg_snapshot_xmin(pg_current_snapshot()) into oldest_running;
    wanted := array(select n from unnest(state.missing + state.newly_missing) r, generate_series(lower(r), upper(r) - 1) n limit ${MOST_MISSING});
    -- Asked before events are read: those of what has been committed until now are seen.
    if state.missing <> '{}' and oldest_running >= state.missing_before then
      select jsonb_object_agg(w.nodeid, case when w.success then w.result::jsonb end) into nodes
        from run_command_on_all_nodes($q$select json_build_object('oldest', pg_snapshot_xmin(pg_current_snapshot())::text, 'new', pg_current_xact_id()::text)$q$) w;
      select coalesce(bool_or(coalesce((n.value->>'oldest')::xid8 < (state.nodes_before->>n.key)::xid8, true)), false) into is_undecided
        from jsonb_each(nodes) n;
      -- A node that was not asked before may have some of theirs as well.
      if exists (select from jsonb_object_keys(nodes) key where state.nodes_before->key is null) then
        select jsonb_object_agg(n.key, n.value->'new') into state.nodes_before from jsonb_each(nodes) n where jsonb_typeof(n.value) = 'object';
      end if;
    end if;
    select array_agg(e.id order by e.id), array_agg(e.program order by e.id), array_agg(e.account_id order by e.id), min(e.occurred_at)
      into account_ids, account_programs, accounts, account_at
      from (select id, program, account_id, occurred_at from account_event where id > state.last_event_id order by id limit most) e;
    select array_agg(e.id order by e.id), array_agg(e.program order by e.id), min(e.occurred_at) into program_ids, programs, program_at
      from (select id, program, occurred_at from program_event where id > state.last_event_id order by id limit most) e;
    select array_agg(e.id order by e.id) into denied_ids
      from (select id from denied_attempt where id > state.last_event_id order by id limit most) e;
    -- After the others: whatever was read above, what its account or program did before is found here.
    if wanted <> '{}' then
      select array_agg(e.id), array_agg(e.program), array_agg(e.account_id), min(e.occurred_at)
        into late_ids, late_programs, late_accounts, late_at from account_event e where e.id = any(wanted);
      select array_agg(e.id), array_agg(e.program) into late_program_ids, late_of from program_event e where e.id = any(wanted);
      select array_agg(e.id) into late_denied_ids from denied_attempt e where e.id = any(wanted);
    end if;

    -- Of a table with more events nothing is known behind the last one that was read.
    last_found := least(account_ids[most], program_ids[most], denied_ids[most]);
    more := last_found is not null;
    last_found := coalesce(last_found, greatest(account_ids[cardinality(account_ids)], program_ids[cardinality(program_ids)],
      denied_ids[cardinality(denied_ids)]));

    with done as (
      select * from unnest(account_ids, account_programs, accounts) a(id, program, account_id) where id <= last_found
      union all select p.id, p.program, null from unnest(program_ids, programs) p(id, program) where p.id <= last_found
      union all select * from unnest(late_ids, late_programs, late_accounts) l
      union all select q.id, q.program, null from unnest(late_program_ids, late_of) q(id, program)
    ), positioned as (
      insert into feed (position, event_id, program, account_id)
      select state.position + row_number() over (order by id), id, program, account_id from done returning event_id
    )
    select coalesce(range_agg(int8range(s.id, s.id, '[]')), '{}'), count(s.is_done) into numbers, numbered from (
      select event_id as id, true as is_done from positioned
      union all select id, null from unnest(denied_ids || late_denied_ids) id where id <= last_found or id <= state.last_event_id
    ) s;
    lag_seconds := coalesce(extract(epoch from clock_timestamp() - least(account_at, program_at, late_at)), 0);

    state.missing := state.missing - numbers;
    state.newly_missing := state.newly_missing - numbers;
    if oldest_running >= state.missing_before and not is_undecided and cardinality(wanted) < ${MOST_MISSING} then
      state.missing := state.newly_missing;
      state.newly_missing := '{}';
      state.missing_before := pg_current_xact_id();
      state.nodes_before := null;
    end if;
    if last_found > state.last_event_id then
      state.newly_missing := state.newly_missing + (int8multirange(int8range(state.last_event_id, last_found, '(]')) - numbers);
      state.last_event_id := last_found;
    end if;
    state.position := state.position + numbered;

    update feed_state set position = state.position, last_event_id = state.last_event_id, missing = state.missing,
        missing_before = state.missing_before, nodes_before = state.nodes_before, newly_missing = state.newly_missing, history = state.history
      where feed_state is distinct from state;
    last_position := state.position;
    missing := (select count(*) from unnest(state.missing + state.newly_missing));
  end
$$`;
