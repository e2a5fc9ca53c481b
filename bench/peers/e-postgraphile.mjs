// PostGraphile 5 over the tables as they are. It makes its schema from them; what it lacks for the workloads is added
// as its users add it: amounts and names as fields in code, local times and two lookups as SQL functions (tables.sql).
// It pages by OFFSET and counts rows.
import { createServer } from 'node:http';
import pg from 'pg';
import { postgraphile } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { lambda } from 'postgraphile/grafast';
import { grafserv } from 'postgraphile/grafserv/node';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';
import { extendSchema } from 'postgraphile/utils';
import { DATABASE_URL, listen, POOL_SIZE } from './postgres.mjs';

const major = column => $row => lambda($row.get(column), minor => Number(minor) / 100);
const asItIs = $row => $row;
const mask = number => number.slice(-4).padStart(number.length, '*');

const fields = extendSchema(() => ({
  typeDefs: `
    type PersonName { first: String! middle: String last: String! }
    type PeerName { first: String! middle: String last: String! }
    extend type Account { availableBalance: Float! }
    extend type Transaction { amount: Float! availableBalance: Float! }
    extend type Beneficiary { name: PersonName! }
    extend type PeerBeneficiary { name: PeerName! maskedTaxId: String }`,
  objects: {
    Account: { plans: { availableBalance: major('balance_minor') } },
    Transaction: { plans: { amount: major('amount_minor'), availableBalance: major('balance_minor') } },
    Beneficiary: { plans: { name: asItIs } },
    PeerBeneficiary: { plans: { name: asItIs, maskedTaxId: $row => lambda($row.get('tax_id'), mask) } },
    PersonName: { plans: namePlans() },
    PeerName: { plans: namePlans() },
  },
}));

function namePlans() {
  return {
    first: $row => $row.get('name_first'),
    middle: $row => $row.get('name_middle'),
    last: $row => $row.get('name_last'),
  };
}

const pool = new pg.Pool({ connectionString: DATABASE_URL, max: POOL_SIZE, idleTimeoutMillis: 0 });
const server = createServer();
const instance = postgraphile({
  extends: [PostGraphileAmberPreset],
  plugins: [fields],
  pgServices: [makePgService({ pool, schemas: ['public'], pubsub: false })],
  grafserv: { graphqlPath: '/graphql', graphiql: false, watch: false, websockets: false },
  grafast: { explain: false },
});
if (process.argv.includes('--print-schema')) {
  const { printSchema } = await import('graphql');
  console.log(printSchema((await instance.getSchemaResult()).schema));
  process.exit();
}
await instance.createServ(grafserv).addTo(server);
listen(server);
