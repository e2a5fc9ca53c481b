import type { TestGateway } from '../support/test-gateway.js';
import { customerRecord, importing } from './importing.js';

/** The id of an entry of a key ring. */
export function idOf(entry: string): string {
  return entry.slice(0, entry.indexOf(':'));
}

export async function importCustomers(gateway: TestGateway, count: number): Promise<void> {
  for (let done = 0; done < count; done += 1000) {
    const records = Array.from({ length: Math.min(1000, count - done) }, () => customerRecord());
    await importing(gateway, 'customers', 'demo', records);
  }
}

/** How many seals there are under each key. */
export async function sealsUnder({ sql }: TestGateway): Promise<Record<string, number>> {
  const { rows } = await sql.query<{ id: string; count: number }>(
    `SELECT convert_from(substring(s FROM 3 FOR get_byte(s, 1)), 'UTF8') AS id, count(*)::int
     FROM (SELECT sealed FROM customer UNION ALL SELECT sealed FROM beneficiary UNION ALL SELECT sealed_number FROM card UNION ALL SELECT pin_verification FROM card
       UNION ALL SELECT outcome FROM idempotency_key) AS t(s)
     GROUP BY 1`,
  );
  return Object.fromEntries(rows.map(({ id, count }) => [id, count]));
}
