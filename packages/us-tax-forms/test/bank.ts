import { USUAL_SCOPES, type Answer, type TestGateway } from '../../../test/support/test-gateway.js';
import { until } from '../../../test/support/until.js';
import { PROGRAM } from '../../../test/support/given.js';
import { issue, post, type Posting } from '../../../test/statement/issue/issuing.js';
import type * as Inside from './bank.inside.js';

export const YEAR = 2026;

/** Who sends the returns in tests. */
export const TRANSMITTER = {
  tcc: 'ABC12',
  softwareId: '26A0000001',
  taxId: '98-7654321',
  name: 'Harbor Filing Service',
  address: { line1: '3 Quay Street', city: 'Port Ambergill', state: 'OR', postalCode: '97000' },
  contact: { name: 'Pat Quill', email: 'tax@bank.example', telephone: '+1 503 555 0199' },
};

/** The columns of the portal's template. */
const COLUMNS = [
  'Form Type',
  'Tax Year',
  'Payer TIN Type',
  'Payer Taxpayer ID Number',
  'Payer Name Type',
  'Payer Business or Entity Name Line 1',
  'Payer Address Line 1',
  'Payer City/Town',
  'Payer State/Province/Territory',
  'Payer ZIP/Postal Code',
  'Payer Phone',
  'Recipient TIN Type',
  'Recipient Taxpayer ID Number',
  'Recipient Name Type',
  'Recipient First Name',
  'Recipient Last Name (Surname)',
  'Recipient Business or Entity Name Line 1',
  'Recipient Country',
  'Recipient Address Line 1',
  'Recipient City/Town',
  'Recipient State/Province/Territory',
  'Recipient ZIP/Postal Code',
  'Form Account Number',
  'Box 1 - Interest income',
  'Box 2 - Early withdrawal penalty',
  'Box 3 - Interest on U.S. Savings Bonds and Treasury obligations',
  'Box 4 - Federal income tax withheld',
];
/** A template as the portal gives it. */
export const TEMPLATE = `Template of the year,\r\n${COLUMNS.join(',')}\r\n`;

/** A payee as the tests name it: its record, and what its accounts were paid. */
export interface Payee {
  readonly key: string;
  readonly last: string;
  readonly first?: string;
  readonly taxId: string;
  readonly changes?: object;
  /** Of each account, in the order of their ids. */
  readonly accounts: readonly (readonly Posting[])[];
  readonly currency?: string;
  readonly coOwner?: string;
}

export const interest = (amount: string, at = `${YEAR}-03-01`): Posting => ({ at, amount, type: 'INTEREST' });

const address = {
  line1: '1 Elm Street',
  city: 'Springfield',
  state: 'IL',
  postalCode: '62704',
  country: 'US',
  type: 'HOME',
};

/** The id of a file of XML. */
export function idOf(xml: string): string {
  return /<UniqueTransmissionId>([^<]+)/.exec(xml)?.[1] ?? '';
}

/** A bank of these payees. Accounts have the ids `a<key>-<n>`, in a program of their own. */
export class TaxBank {
  readonly customers = new Map<string, string>();

  private constructor(
    readonly gateway: TestGateway,
    readonly program: string,
    readonly caller: string,
  ) {}

  static async open(
    gateway: TestGateway,
    payees: readonly Payee[],
    program = gateway.given.program(),
  ): Promise<TaxBank> {
    const bank = new TaxBank(gateway, program, await gateway.caller({ program, scopes: USUAL_SCOPES }));
    await gateway.given.programRecord(program, { payer: { ...PROGRAM.payer, name: 'The Harbor Example Bank, N.A.' } });
    await afterTheYear(gateway, program);
    for (const payee of payees) await bank.add(payee);
    return bank;
  }

  get inside() {
    return this.gateway.module<typeof Inside>('packages/us-tax-forms/test/bank');
  }

  accountId(key: string, number = 1): string {
    return `${this.program.slice(-6)}-${key}-${number}`;
  }

  async postTo(key: string, number: number, postings: readonly Posting[]): Promise<void> {
    const account = this.accountId(key, number);
    await post(this.gateway, { program: this.program, account, owners: [], caller: this.caller }, postings);
  }

  /** Issues the forms of the year, and gives what was left out, with its reasons. */
  async issue(): Promise<Record<string, readonly string[]>> {
    const { runId } = await issue(this.gateway, '1099', String(YEAR), this.program);
    const { rows } = await this.gateway.sql.query<{ account_id: string; reasons: string[] }>(
      'SELECT account_id, reasons FROM issue_left_out WHERE run_id = $1 ORDER BY account_id',
      [runId],
    );
    return Object.fromEntries(rows.map(row => [row.account_id.slice(7), row.reasons]));
  }

  /** Files what is due, and gives the filings, the files by their names without ids, and what cannot be filed. */
  async file({ template = null as string | null, isTest = false, limits = {} } = {}) {
    await this.inside.limit(limits);
    try {
      const order = { taxYear: YEAR, isTest, ...(template === null ? { transmitter: TRANSMITTER } : { template }) };
      const { status, body } = await this.me.rest.post('/tax-filings', order);
      if (status !== 201) throw new Error(JSON.stringify(body));
      const ids = (body.taxFilings as FiledReturns[]).map(({ filingId }) => filingId);
      const filings: FiledReturns[] = [];
      const files = new Map<string, string>();
      for (const id of ids) {
        const filing = await this.written(id);
        if (!filing) continue;
        filings.push(filing);
        for (const { fileName, downloadPath } of await this.filesOf(id)) {
          files.set(fileName.replace(/-[0-9a-f]{8}-/, '-'), (await this.me.rest.get(downloadPath)).text);
        }
      }
      const listed = await this.me.rest.get(`/tax-years/${YEAR}/payees?list=NOT_FILED`);
      const unfilable = (listed.body.payees as UnfiledPayee[]).map(({ accountId, reason }) => ({ accountId, reason }));
      return { files, filings, unfilable };
    } finally {
      await this.inside.limit({});
    }
  }

  /** A filing once its files are written; null if there was nothing to file. */
  async written(filingId: string): Promise<FiledReturns | null> {
    let answer = await this.me.rest.get(`/tax-filings/${filingId}`);
    await until(async () => {
      answer = await this.me.rest.get(`/tax-filings/${filingId}`);
      return answer.body.state !== 'DRAFT';
    });
    return answer.status === 404 ? null : answer.body;
  }

  async filesOf(filingId: string): Promise<readonly { readonly fileName: string; readonly downloadPath: string }[]> {
    return (await this.me.rest.get(`/tax-filings/${filingId}/files`)).body.files;
  }

  /** Hands over an answer of the IRS to a file, with an error of each of these returns. */
  async answer(
    transmissionId: string,
    status: string,
    receipt: string,
    errors: Readonly<Record<number, string>> = {},
  ): Promise<FiledReturns> {
    const records = Object.entries(errors).map(
      ([id, code]) =>
        `<RecordResultGrp><RecordId>${id}</RecordId><ErrorInformationGrp><ErrorMessageCd>${code}</ErrorMessageCd><ErrorMessageTxt>The name and the TIN do not match.</ErrorMessageTxt><ErrorValueTxt>222222213</ErrorValueTxt></ErrorInformationGrp></RecordResultGrp>`,
    );
    const xml = `<?xml version="1.0"?><a:IRSubmissionAck xmlns:a="urn:us:gov:treasury:irs:ir"><a:ResultGrp><a:TransmissionResultGrp><a:UniqueTransmissionId>${transmissionId}</a:UniqueTransmissionId><a:ReceiptId>${receipt}</a:ReceiptId><a:TransmissionStatusCd>${status}</a:TransmissionStatusCd></a:TransmissionResultGrp><a:SubmissionResultGrp><a:SubmissionId>1</a:SubmissionId><a:SubmissionStatusCd>${status}</a:SubmissionStatusCd>${records.join('').replaceAll(/<(\/?)/g, '<$1a:')}</a:SubmissionResultGrp></a:ResultGrp></a:IRSubmissionAck>`;
    const { body } = await this.hand(xml);
    return body;
  }

  /** Hands over a text as an answer of the IRS. */
  hand(xml: string): Promise<Answer> {
    return this.me.raw({
      method: 'POST',
      path: '/tax-answers',
      headers: { 'content-type': 'application/xml' },
      body: xml,
    });
  }

  private get me() {
    return this.gateway.as(this.caller);
  }

  private async add({ key, first = 'Ada', last, taxId, changes, accounts, currency = 'USD', coOwner }: Payee) {
    const me = this.gateway.as(this.caller);
    const name = first === '' ? { last } : { first, last };
    const body = { name, taxId, taxIdCountry: 'US', addresses: [address], ...changes };
    const { status, body: created } = await me.rest.post('/customers', body);
    if (status !== 201) throw new Error(JSON.stringify(created));
    this.customers.set(key, created.customerId);
    for (const [index, postings] of accounts.entries()) {
      const owners = [created.customerId, ...(coOwner ? [this.customers.get(coOwner) as string] : [])];
      const accountId = this.accountId(key, index + 1);
      await this.gateway.given.account({ program: this.program, accountId, owners, currency });
      await this.postTo(key, index + 1, [{ at: `${YEAR}-01-02`, amount: '1000.00' }, ...postings]);
    }
  }
}

interface FiledReturns {
  readonly filingId: string;
  readonly kind: string;
  readonly state: string;
  readonly forms: number;
}
interface UnfiledPayee {
  readonly accountId: string;
  readonly reason: string;
}

/** Moves the clock of a program into the January in which forms are issued. */
export async function afterTheYear(gateway: TestGateway, program: string): Promise<void> {
  const aheadMs = Math.max(0, Date.parse(`${YEAR + 1}-01-20T12:00:00Z`) - Date.now());
  await gateway.sql.query('INSERT INTO sandbox_program (program, ahead_ms) VALUES ($1, $2)', [program, aheadMs]);
}
