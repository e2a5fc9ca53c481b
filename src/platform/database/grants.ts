import type { Database } from './orm.js';
import { UnfitDatabase } from './unfit-database.js';

/** The beginning of the names of policies that let a role see the rows of the queue of jobs; the role follows. */
const POLICY = 'tillgate_serving';
/** Where the queue of jobs keeps its tables: the schema that graphile-worker makes. */
const QUEUE_SCHEMA = 'graphile_worker';

/** The server has no role of this name. */
export class UnknownRole extends Error {
  override readonly name = 'UnknownRole';
  constructor(role: string) {
    super(`The database server has no role ${role}. Create it first, for example: CREATE ROLE ${role} LOGIN`);
  }
}

/** The tables that the gateway has besides those of its entities; `card_number` only on Citus. */
const WITHOUT_ENTITY = ['card_number', 'event', 'key_holder', 'rate_limit', 'schema_migration'];

// The rights of a role are read from the catalog, which no entity has. A table whose trigger refuses each change is
// only read and appended to, and a view only read. The sequences are not told apart by their tables: one of them
// belongs to none.
const LACKING = `WITH r AS (SELECT oid, rolname, rolsuper OR rolbypassrls AS sees_all FROM pg_roles WHERE rolname = ?),
   schemas AS (SELECT oid, nspname FROM pg_namespace WHERE nspname IN (current_schema(), '${QUEUE_SCHEMA}')),
   tables AS (
     SELECT c.oid, c.relowner, c.relrowsecurity, format('%I.%I', s.nspname, c.relname) AS name,
       CASE WHEN c.relname IN ('schema_migration', 'migrations') OR c.relkind = 'v' THEN ARRAY['SELECT']
         WHEN EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = c.oid AND t.tgfoid = to_regproc('refuse_change')
           AND t.tgattr = '' AND t.tgtype::int & 24 = 24) THEN ARRAY['SELECT', 'INSERT']
         ELSE ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE'] END AS needed
     FROM schemas s JOIN pg_class c ON c.relnamespace = s.oid
     WHERE c.relkind IN ('r', 'p', 'v') AND (s.nspname = '${QUEUE_SCHEMA}' OR c.relname = ANY(ARRAY[?]::text[])))
   SELECT statement FROM (
     SELECT 1 AS part, nspname AS name, format('GRANT USAGE ON SCHEMA %I TO %I;', nspname, rolname) AS statement
     FROM schemas s, r WHERE NOT has_schema_privilege(r.oid, s.oid, 'USAGE')
     UNION ALL
     SELECT 2, t.name, format('GRANT %s ON %s TO %I;', string_agg(p, ', ' ORDER BY place), t.name, rolname)
     FROM tables t, r, unnest(t.needed) WITH ORDINALITY u(p, place)
     WHERE NOT has_table_privilege(r.oid, t.oid, p) GROUP BY t.name, rolname
     UNION ALL
     SELECT 3, t.name, format('CREATE POLICY %I ON %s TO %I USING (true) WITH CHECK (true);', left('${POLICY}_' || rolname, 63), t.name, rolname)
     FROM tables t, r WHERE t.relrowsecurity AND NOT r.sees_all AND NOT pg_has_role(r.oid, t.relowner, 'USAGE')
       AND NOT EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = t.oid AND p.polname = left('${POLICY}_' || r.rolname, 63))
     UNION ALL
     SELECT 4, c.relname, format('GRANT USAGE ON SEQUENCE %I.%I TO %I;', s.nspname, c.relname, rolname)
     FROM schemas s JOIN pg_class c ON c.relnamespace = s.oid AND c.relkind = 'S' AND c.relowner IN (SELECT relowner FROM tables), r
     WHERE c.relname <> 'schema_migration_id_seq' AND NOT has_sequence_privilege(r.oid, c.oid, 'USAGE')
     UNION ALL
     SELECT 5, f.proname, format('GRANT EXECUTE ON FUNCTION %s TO %I;', f.oid::regprocedure, rolname)
     FROM schemas s JOIN pg_proc f ON f.pronamespace = s.oid AND f.proowner IN (SELECT relowner FROM tables), r
     WHERE NOT has_function_privilege(r.oid, f.oid, 'EXECUTE')
   ) lacking ORDER BY part, name`;

/**
 * Lists the statements that give a role what it lacks to serve, in an order in which they can run; empty if it lacks
 * nothing, as the owner of the tables does. The database has to know its entities. The tables of the queue of jobs need
 * a policy each besides the rights: they have row security, and without a policy a role sees none of their rows. Throws
 * `UnknownRole`.
 */
export async function lackingGrants(database: Database, role: string): Promise<string[]> {
  const em = database.primary();
  if ((await em.execute('SELECT FROM pg_roles WHERE rolname = ?', [role])).length === 0) throw new UnknownRole(role);
  const tables = [...database.orm.getMetadata().getAll().values()].map(({ tableName }) => tableName);
  const rows = await em.execute<{ statement: string }[]>(LACKING, [role, [...tables, ...WITHOUT_ENTITY]]);
  return rows.map(({ statement }) => statement);
}

/** Citus changes tables that refer to each other in one transaction only shard by shard. Elsewhere it means nothing. */
const IN_TURN = "SET LOCAL citus.multi_shard_modify_mode TO 'sequential';";

/**
 * Gives a role what it lacks to serve, in one transaction, and gives the statements. Only the owner of the tables can.
 */
export async function giveGrants(database: Database, role: string): Promise<string[]> {
  const lacking = await lackingGrants(database, role);
  if (lacking.length > 0) await database.pool.query([IN_TURN, ...lacking].join('\n'));
  return lacking;
}

const OWN_ROLE = `SELECT current_user::text AS role, to_regclass('schema_migration') IS NOT NULL AS "hasTables"`;

/** Refuses a role that cannot do all that serving needs. A database without tables is left to the migrations. */
export async function checkGrants(database: Database): Promise<void> {
  const [own] = await database.primary().execute<{ role: string; hasTables: boolean }[]>(OWN_ROLE);
  const { role = '', hasTables = false } = own ?? {};
  const lacking = hasTables ? await lackingGrants(database, role) : [];
  if (lacking.length === 0) return;
  throw new UnfitDatabase([
    `The role ${role} in DATABASE_URL lacks rights that the gateway needs. Run as the owner of the tables: tillgate grants --role ${role} --apply. That runs:`,
    ...lacking,
  ]);
}
