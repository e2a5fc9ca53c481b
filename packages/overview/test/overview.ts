import { unique, type TestGateway } from '../../../test/support/gateway.js';
import { until } from '../../../test/support/until.js';

export interface Day {
  readonly date: string;
  readonly currency: string;
  readonly credits: string;
  readonly creditCount: number;
  readonly debits: string;
  readonly debitCount: number;
  readonly openedAccountCount: number;
}
export interface Overview {
  readonly asOf: string | null;
  readonly timeZone: string;
  readonly openAccountCount: number;
  readonly openedAccountCount: number;
  readonly inactiveCardCount: number;
  readonly activeCardCount: number;
  readonly frozenCardCount: number;
  readonly waitingApprovalCount: number;
  readonly currencies: readonly {
    readonly currency: string;
    readonly deposits: string;
    readonly openAccountCount: number;
    readonly days: readonly Day[];
  }[];
}

export const OVERVIEW = `{ programOverview { asOf timeZone openAccountCount openedAccountCount
  inactiveCardCount activeCardCount frozenCardCount waitingApprovalCount
  currencies { currency deposits openAccountCount
    days { date currency credits creditCount debits debitCount openedAccountCount } } } }`;

/** Resolves when all events of a program are in its figures. */
export async function counted({ sql }: Pick<TestGateway, 'sql'>, program: string): Promise<void> {
  const { rows: last } = await sql.query<{ id: string }>(
    'SELECT coalesce(max(id), 0) AS id FROM event WHERE program = $1',
    [program],
  );
  await until(async () => {
    const { rows } = await sql.query(
      `SELECT 1 FROM overview_reader r CROSS JOIN feed_state s WHERE s.last_event_id >= $2
         AND r.position >= (SELECT coalesce(max(position), 0) FROM feed WHERE program = $1)`,
      [program, last[0]?.id],
    );
    return rows.length > 0;
  });
}

/** A program of its own, with somebody who can own accounts, and an operator. */
export async function givenProgram(gateway: TestGateway) {
  const program = unique('overview');
  const { customer } = await gateway.given.customer({ program });
  const operator = gateway.as(await gateway.caller({ program }));
  /** Opens an account as the bank does, and gives its id. */
  const open = async (changes: object = {}): Promise<string> => {
    const account = { accountType: 'CHECKING', currency: 'USD', timeZone: 'America/New_York', interestBearing: false };
    const { body, status, text } = await operator.rest.post('/accounts', {
      ...account,
      owners: [customer],
      ...changes,
    });
    if (status !== 201) throw new Error(text);
    return String(body.accountId);
  };
  const overview = async (): Promise<Overview> => {
    await counted(gateway, program);
    const { data, errors } = await operator.graphql<{ readonly programOverview: Overview }>(OVERVIEW);
    if (errors) throw new Error(JSON.stringify(errors));
    return data.programOverview;
  };
  return { program, customer, operator, open, overview };
}
