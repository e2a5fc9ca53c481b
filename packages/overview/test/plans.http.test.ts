import { afterAll, beforeAll, expect } from '@jest/globals';
import { differsOnCitus } from '../../../test/support/citus-differences.js';
import { startTestGateway, type TestGateway } from '../../../test/support/gateway.js';
import { explained } from '../../../test/support/explained.js';
import { testUnless } from '../../../test/support/unless.js';
import { OVERVIEW } from './overview.js';

const PROGRAM = 'large';
const TABLES = ['account', 'approval', 'card', 'feed', 'transaction', 'overview_day', 'overview_total'];
/** A bank with many accounts, twenty years of days, and requests that were decided long ago. */
const FILLED = [
  `INSERT INTO account (account_id, program, account_type, currency, time_zone, status, opened_on, interest_bearing)
   SELECT 'large-' || n, '${PROGRAM}', 'CHECKING', 'USD', 'Asia/Tokyo', 'OPEN', date '2000-01-01' + n % 9000, false
   FROM generate_series(1, 50000) n`,
  `INSERT INTO approval (approval_id, program, status, command, facts, client_id, subject, request_id, requested_at, expires_at, key_hash, sealed)
   SELECT gen_random_uuid(), '${PROGRAM}', CASE WHEN n <= 20 THEN 'WAITING' ELSE 'APPROVED' END, 'account.close', '{}', 'c', 's', 'r',
     now() - n * interval '1 minute', now() + interval '1 day', '', ''
   FROM generate_series(1, 20000) n`,
  `INSERT INTO overview_day SELECT p, current_date - n, c, n, n, n, n, 1
   FROM unnest(array['${PROGRAM}', 'p1', 'p2', 'p3']) p, generate_series(0, 7300) n, unnest(array['USD', 'EUR']) c`,
  `INSERT INTO overview_total SELECT p, c, 1, 2, 3, 4, 5
   FROM unnest(array['${PROGRAM}', 'p1', 'p2', 'p3']) p, unnest(array['USD', 'EUR']) c`,
  'ANALYZE account, approval, overview_day, overview_total',
];

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({});
  for (const statement of FILLED) await gateway.sql.query(statement);
});
afterAll(() => gateway.stop());

const planned = testUnless(differsOnCitus('plans'));

planned(
  'an overview is read from some dozens of rows, whatever the number of accounts, approvals and days',
  async () => {
    const client = gateway.as(await gateway.caller({ program: PROGRAM }));
    const statements = await explained(gateway, TABLES, async () => {
      const { data, errors } = await client.graphql(OVERVIEW);
      expect(errors).toBeUndefined();
      expect(data.programOverview).toMatchObject({ timeZone: 'Asia/Tokyo', waitingApprovalCount: 20 });
    });
    expect(statements).toHaveLength(4);
    // The few rows of all programs are one page.
    const scanned = statements.flatMap(({ text, reads }) =>
      reads.some(read => read.startsWith('Seq Scan')) && !text.includes('overview_total') ? text : [],
    );
    expect(scanned).toEqual([]);
    expect(statements.filter(({ blocks }) => blocks > 150).map(({ text, blocks }) => [blocks, text])).toEqual([]);
  },
);
