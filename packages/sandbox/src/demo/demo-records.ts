import type { DemoAccount, DemoBank, DemoBeneficiary, DemoCustomer } from './demo-bank.js';
import { demoTransactions } from './demo-transactions.js';
import { Random } from './random.js';

/** Records as a bank would send them for import, in the order in which they can be imported. */
export interface DemoRecords {
  readonly customers: readonly object[];
  readonly accounts: readonly object[];
  readonly beneficiaries: readonly object[];
  readonly transactions: readonly object[];
}

/**
 * The records of a day (YYYY-MM-DD): the same whenever and wherever they are made. Nothing in them can be anybody's.
 */
export function demoRecords(bank: DemoBank, today: string): DemoRecords {
  const random = new Random(bank.seed);
  const people = new People(bank.firstAccount, random);
  return {
    customers: bank.customers.map((customer, index) => customerRecord(bank, customer, index + 1, people)),
    accounts: bank.accounts.map((account, index) => accountRecord(bank, account, index, random)),
    beneficiaries: bank.accounts.flatMap((account, index) =>
      account.beneficiaries.map(beneficiary => beneficiaryRecord(accountIdOf(bank, index), beneficiary, people)),
    ),
    transactions: bank.accounts.flatMap((account, index) =>
      demoTransactions(accountIdOf(bank, index), account, bank.firstAccount + index, today),
    ),
  };
}

function customerRecord(
  bank: DemoBank,
  { name, mailbox, foreignTaxId }: DemoCustomer,
  number: number,
  people: People,
): object {
  const [first, middle, last] = name;
  return {
    customerId: customerIdOf(bank, number),
    name: { first, middle, last },
    ...(foreignTaxId ?? { taxId: people.personalTaxId(), taxIdCountry: 'US' }),
    governmentId: people.governmentId(),
    dateOfBirth: people.dateOfBirth(),
    contact: { email: [`${mailbox}@example.test`], telephones: [people.phone()] },
    addresses: [people.address()],
  };
}

function accountRecord(bank: DemoBank, account: DemoAccount, index: number, random: Random): object {
  const { type, currency, timeZone, owners } = account;
  return {
    accountId: accountIdOf(bank, index),
    accountType: type,
    currency,
    timeZone,
    interestBearing: type !== 'CHECKING',
    openedOn: random.day(2012, 2023),
    owners: owners.map(number => customerIdOf(bank, number)),
  };
}

function beneficiaryRecord(accountId: string, beneficiary: DemoBeneficiary, people: People): object {
  const [first, last, beneficiaryType, relationship, sharePercentage] = beneficiary;
  const isPerson = relationship !== 'CHARITY' && relationship !== 'TRUST';
  return {
    accountId,
    name: { first, last },
    beneficiaryType,
    relationship,
    sharePercentage,
    ...(isPerson
      ? { taxId: people.personalTaxId(), taxIdType: 'SSN', dateOfBirth: people.dateOfBirth() }
      : { taxId: people.organisationTaxId(), taxIdType: 'EIN' }),
    addresses: [people.address()],
    emails: [{ type: 'PERSONAL', email: `beneficiary.${people.serial()}@example.test` }],
    phones: [people.phone()],
  };
}

export function customerIdOf({ customerPrefix }: DemoBank, number: number): string {
  return (
    `${customerPrefix}${String(number).padStart(4 - customerPrefix.length, '0')}`.padStart(8, '0') +
    '-0000-4000-8000-000000000000'
  );
}

export function accountIdOf({ program, firstAccount }: DemoBank, index: number): string {
  return `${program}-${firstAccount + index}`;
}

const STREETS = [
  'Quillfeather Lane',
  'Tumblestone Road',
  'Old Lanternworks Street',
  'Marrowbone Crescent',
  'Seventh Orchard Way',
  'Kettlebrook Avenue',
];
const TOWNS = [
  ['Port Ambergill', 'OR'],
  ['Lower Thistlewick', 'VT'],
  ['Saltmarsh Corner', 'ME'],
  ['Cinderford Heights', 'IL'],
  ['Nettle Springs', 'NM'],
] as const;

/** Draws what belongs to a person, out of what is kept free for invented people. */
class People {
  private drawn = 0;
  constructor(
    private readonly firstSerial: number,
    private readonly random: Random,
  ) {}

  /** Never the same twice in a bank. */
  serial(): number {
    this.drawn += 1;
    return this.firstSerial + this.drawn;
  }

  /**
   * Nobody's number: the Social Security Administration gives none that begins with 9, nor any with the middle digits
   * 00 (POMS RM 10201.035); numbers of the tax office that begin with 9 have the middle digits 50 to 99 (ITIN and ATIN,
   * IRM 3.21.263). The numbers 987-65-4320 to 4329 that advertisements use would not do: their 65 is an ITIN's today.
   */
  personalTaxId(): string {
    return `900-00-${this.serial()}`;
  }

  /** Nobody's number: no Employer Identification Number begins with 00 (IRS, 'Valid EINs'). */
  organisationTaxId(): string {
    return `00-${String(this.serial()).padStart(7, '0')}`;
  }

  governmentId(): string {
    return `DEMO${String(this.serial()).padStart(8, '0')}`;
  }

  dateOfBirth(): string {
    return this.random.day(1941, 2003);
  }

  /** 555-0100 to 555-0199 are kept for fiction in every area (North American Numbering Plan Administrator). */
  phone(): object {
    const number = `+1 ${this.random.pick([212, 312, 503, 617])} 555 01${String(this.random.between(0, 99)).padStart(2, '0')}`;
    return { type: this.random.pick(['HOME', 'CELL', 'BUSINESS']), country: 'US', number };
  }

  /** Postal codes that begin with 001 to 004 are not in use. */
  address(): object {
    const [city, state] = this.random.pick(TOWNS);
    const line1 = `${this.random.between(1, 980)} ${this.random.pick(STREETS)}`;
    return { line1, city, state, postalCode: `00${this.random.between(100, 499)}`, country: 'US', type: 'HOME' };
  }
}
