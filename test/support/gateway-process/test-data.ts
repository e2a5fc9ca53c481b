import { randomBytes, randomUUID } from 'node:crypto';
import { Account, AccountOwner } from '../../../src/bank/account/account.entity.js';
import type { Container } from '../../../src/app/container.js';
import { commandLine } from '../../../src/app/imports.js';
import { Beneficiary, type BeneficiarySecrets } from '../../../src/bank/beneficiary/beneficiary.entity.js';
import { Customer, type CustomerSecrets } from '../../../src/bank/owner/owner.entity.js';
import { sealIdentity } from '../../../src/platform/repository/declarations.js';
import { inTransaction } from '../../../src/platform/database/transaction.js';
import { writeRecords } from '../../../src/platform/import/batch.js';
import { readRecord } from '../../../src/platform/input/read-input.js';
import { programImport } from '../../../src/bank/program/program.import.js';
import { mask } from '../../../src/shared/mask.js';
import type { KeptTaxForm, StatementContent } from '../../../src/bank/statement/statement.content.js';
import type { Statement } from '../../../src/bank/statement/statement.entity.js';
import { TaxFilingForm, TaxTransmission } from '../../../packages/us-tax-forms/src/tax-filing.entity.js';
import type { CallerOrder } from '../gateway.js';
import {
  PROGRAM,
  digits,
  type GivenAccount,
  type GivenBeneficiary,
  type GivenCustomer,
  type GivenStatement,
} from '../given.js';
import { pdfOf, statementContent, taxFormContent } from '../statement.js';

type StatementFields = Partial<
  Pick<
    Statement,
    'statementId' | 'documentType' | 'source' | 'statementDate' | 'description' | 'correctsStatementId' | 'pdf'
  >
> & { issuedAt?: string; content?: Partial<StatementContent> | Partial<KeptTaxForm> };

type AccountFields = Partial<
  Pick<
    Account,
    'accountId' | 'accountType' | 'currency' | 'status' | 'openedOn' | 'interestBearing' | 'balanceMinor' | 'timeZone'
  >
>;

/** Data of a test's own. Every id is new, and every account is in a program of its own unless the test names one. */
export class TestData {
  constructor(
    private readonly container: Container,
    private readonly caller: (order: CallerOrder) => Promise<string>,
  ) {}

  program(): string {
    return `program-${randomBytes(5).toString('hex')}`;
  }

  /** The record of a program, which issues every kind of document unless the test leaves something out. */
  async programRecord(programId: string, changes: object = {}): Promise<void> {
    const kind = programImport(this.container.programs.repository);
    const record = readRecord(kind.input, { programId, ...PROGRAM, ...changes });
    const by = commandLine(programId, 'programs');
    await inTransaction(this.container.database, transaction => writeRecords(transaction, kind, by, [record]));
  }

  async customer({
    program = this.program(),
    ...secrets
  }: Partial<CustomerSecrets> & { program?: string } = {}): Promise<GivenCustomer> {
    const em = this.container.database.em();
    const customerId = randomUUID();
    const taxId = digits(9);
    const governmentId = `P${digits(8)}`;
    const email = `${randomBytes(4).toString('hex')}@customer.example`;
    const contact = {
      email: [email],
      telephones: [{ type: 'CELL' as const, country: 'US', number: `+1 555 ${digits(7)}` }],
    };
    const sealed = this.container.keys.seal(sealIdentity('customer', [customerId]), {
      taxId,
      governmentId,
      dateOfBirth: '1970-02-03',
      contact,
      addresses: [ADDRESS],
      ...secrets,
    });
    const name = { first: 'Ada', middle: null, last: `Owner${digits(4)}` };
    em.create(
      Customer,
      { customerId, program, name, taxId: mask(taxId), taxIdCountry: 'US', governmentId: mask(governmentId), sealed },
      { persist: true },
    );
    await em.flush();
    return { program, customer: customerId, taxId, governmentId, email };
  }

  /** An account with so many new owners, or with these. */
  async account({
    program = this.program(),
    owners = 1,
    ...fields
  }: AccountFields & { program?: string; owners?: number | readonly string[] } = {}): Promise<GivenAccount> {
    const ids = typeof owners === 'number' ? await this.customers(program, owners) : owners;
    const em = this.container.database.em();
    const accountId = fields.accountId ?? `acc-${randomBytes(6).toString('hex')}`;
    em.create(
      Account,
      {
        accountId,
        program,
        accountType: 'CHECKING',
        currency: 'USD',
        timeZone: 'America/New_York',
        status: 'OPEN',
        openedOn: '2020-01-31',
        interestBearing: false,
        balanceMinor: 0n,
        ...fields,
      },
      { persist: true },
    );
    for (const [index, customerId] of ids.entries()) {
      em.create(AccountOwner, { accountId, customerId, position: index + 1 }, { persist: true });
    }
    await em.flush();
    return { program, account: accountId, owners: ids, caller: await this.caller({ program }) };
  }

  /** A beneficiary of a new account, or of one that is there. */
  async beneficiary({
    of,
    ...fields
  }: { of?: GivenAccount } & Partial<Beneficiary & BeneficiarySecrets> = {}): Promise<GivenBeneficiary> {
    const owner = of ?? (await this.account());
    const [beneficiary] = await this.beneficiaries(owner, 1, fields);
    return { ...owner, beneficiary: beneficiary as string };
  }

  /** So many beneficiaries of an account, in order. */
  async beneficiaries(
    { account }: GivenAccount,
    count: number,
    fields: Partial<Beneficiary & BeneficiarySecrets> = {},
  ): Promise<string[]> {
    const em = this.container.database.em();
    const present = await em.count(Beneficiary, { accountId: account });
    const ids = Array.from({ length: count }, () => randomUUID());
    for (const [index, beneficiaryId] of ids.entries()) {
      const {
        taxId = digits(9),
        dateOfBirth = '1990-05-06',
        addresses = [ADDRESS],
        emails = [EMAIL],
        phones = [PHONE],
        ...columns
      } = fields;
      const sealed = this.container.keys.seal(sealIdentity('beneficiary', [account, beneficiaryId]), {
        taxId,
        dateOfBirth,
        addresses,
        emails,
        phones,
      });
      em.create(
        Beneficiary,
        {
          accountId: account,
          beneficiaryId,
          position: present + index + 1,
          name: {
            first: 'Ben',
            middle: 'E',
            last: `Ficiary${index}`,
          },
          taxIdType: 'SSN',
          beneficiaryType: 'PRIMARY',
          relationship: 'CHILD',
          sharePercentage: 25,
          ...columns,
          taxId: taxId && mask(taxId),
          sealed,
        },
        { persist: true },
      );
    }
    await em.flush();
    return ids;
  }

  /** A filing of one file with so many returns, which the IRS has accepted. Gives its id. */
  async taxFiling(program: string, { returns = 1, format = 'XML' } = {}): Promise<string> {
    const em = this.container.database.em();
    const filingId = randomUUID();
    const sums = { interestMinor: 1000n, penaltyMinor: 0n, withheldMinor: 0n, stateWithheldMinor: 0n };
    const facts = { filingId, state: 'ACCEPTED', forms: returns } as const;
    const filing = { program, taxYear: 2026, kind: 'ORIGINAL', format, isTest: false, replaces: null } as const;
    const at = new Date().toISOString();
    const address = { lines: ['2 Quay Street'], city: 'Port Ambergill', state: 'OR', zip: '97000' };
    const payer = { name: 'The Harbor Example Bank', taxId: '123456789', address, telephone: '5035550101' };
    const sender = { payer, by: { template: { head: '', columns: [] } } };
    const { repository } = this.container.taxFilings;
    const row = repository.draft({ ...facts, ...filing, ...sums, sender, createdAt: at, changedAt: at });
    await inTransaction(this.container.database, transaction => transaction.runAll([repository.insertion([row])]));
    const file = { transmissionId: `${filingId}:IRIS:ABC12::A`, receiptId: 'R-1', originalReceiptId: null };
    const written = { part: 1, fileName: '1099-int-2026-original-1.xml', sizeBytes: 1n, errors: [] };
    await em.insert(TaxTransmission, { ...facts, ...file, ...written, ...sums });
    const rows = Array.from({ length: returns }, (_, index) => ({
      filingId,
      part: 1,
      recordId: index + 1,
      program,
      taxYear: 2026,
      state: 'ACCEPTED' as const,
      accountId: `filed-${index}`,
      statementId: randomUUID(),
      corrects: null,
      isZero: false,
      interestMinor: 1000n,
      filedAt: at,
      errors: [],
    }));
    await em.insertMany(TaxFilingForm, rows);
    return filingId;
  }

  /** A document of a new account, or of one that is there: issued here unless its source is a partner. */
  async statement({
    of,
    documentType = 'STATEMENTS',
    source = 'PLATFORM',
    statementDate = documentType === 'STATEMENTS' ? '2026-05-31' : '2025-12-31',
    statementId = randomUUID(),
    pdf = pdfOf(`Document ${statementId}`),
    ...fields
  }: StatementFields & { of?: GivenAccount } = {}): Promise<GivenStatement> {
    const owner = of ?? (await this.account());
    const { issuedAt = '2026-06-01T05:00:00.000Z', description = statementDate, correctsStatementId = null } = fields;
    const issued = documentType === 'STATEMENTS' ? statementContent(statementId) : taxFormContent(statementId);
    const content = source === 'PARTNER' ? null : ({ ...issued, ...fields.content } as typeof issued);
    const kept = this.container.statementVault.keep(
      owner.account,
      statementId,
      pdf,
      content && JSON.stringify(content),
    );
    const row = {
      account_id: owner.account,
      statement_id: statementId,
      program: owner.program,
      document_type: documentType,
      source,
      statement_date: statementDate,
      description,
      issued_at: issuedAt,
      corrects_statement_id: correctsStatementId,
      through_seq: content && 0,
      amount_minor: content && 0,
      size_bytes: kept.sizeBytes,
      sha256: kept.sha256,
      sealed_key: kept.sealedKey,
      pdf: kept.pdf,
      content: kept.content,
    };
    const columns = Object.keys(row);
    const text = `INSERT INTO statement (${columns.join(', ')}) VALUES (${columns.map((_, index) => `$${index + 1}`).join(', ')})`;
    await this.container.database.query({ name: 'given_statement', text }, Object.values(row));
    const path = `/accounts/${owner.account}/${documentType === 'STATEMENTS' ? 'Statements' : '1099'}/${statementId}`;
    return { ...owner, statement: statementId, pdf, content, path };
  }

  async customers(program: string, count: number): Promise<string[]> {
    return Promise.all(Array.from({ length: count }, async () => (await this.customer({ program })).customer));
  }
}

const ADDRESS = {
  line1: '12 Elm Street',
  line2: null,
  line3: null,
  city: 'Springfield',
  state: 'IL',
  postalCode: '62704',
  country: 'US',
  type: 'HOME',
} as const;
const EMAIL = { type: 'HOME', email: 'ben@example.test' } as const;
const PHONE = { type: 'HOME', country: 'US', number: '+1 (555) 010-0199' } as const;
