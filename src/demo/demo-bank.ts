/** The cast of the demo data: invented people and their accounts. What is not said here, `demo-records.ts` draws. */

export interface DemoCustomer {
  readonly name: readonly [first: string, middle: string | null, last: string];
  /** The part before the @. */
  readonly mailbox: string;
  /** Of another country than the United States. */
  readonly foreignTaxId?: { readonly taxId: string; readonly taxIdCountry: string };
}

export interface DemoAccount {
  readonly type: 'CHECKING' | 'SAVINGS' | 'MONEY_MARKET' | 'CD';
  readonly currency: 'USD' | 'EUR' | 'JPY' | 'KWD';
  readonly timeZone: string;
  /** Numbers of customers, from 1, the primary owner first. */
  readonly owners: readonly number[];
  readonly beneficiaries?: readonly DemoBeneficiary[];
}

export type DemoBeneficiary = readonly [
  first: string,
  last: string,
  type: 'PRIMARY' | 'CONTINGENT',
  relationship:
    'SPOUSE' | 'CHILD' | 'PARENT' | 'SIBLING' | 'FAMILY_RELATIVE' | 'FRIEND' | 'TRUST' | 'CHARITY' | 'OTHERS',
  sharePercentage: number,
];

export interface DemoBank {
  readonly program: string;
  readonly seed: number;
  /** `d` and the number 1 make the customer id 0000d001-0000-4000-8000-000000000000. */
  readonly customerPrefix: string;
  /** The number of the first account: `demo-1001`. */
  readonly firstAccount: number;
  readonly customers: readonly DemoCustomer[];
  readonly accounts: readonly DemoAccount[];
}

const NEW_YORK = { currency: 'USD', timeZone: 'America/New_York' } as const;
const CHICAGO = { currency: 'USD', timeZone: 'America/Chicago' } as const;
const LOS_ANGELES = { currency: 'USD', timeZone: 'America/Los_Angeles' } as const;
const BERLIN = { currency: 'EUR', timeZone: 'Europe/Berlin' } as const;
const TOKYO = { currency: 'JPY', timeZone: 'Asia/Tokyo' } as const;
const KUWAIT = { currency: 'KWD', timeZone: 'Asia/Kuwait' } as const;

const DEMO: DemoBank = {
  program: 'demo',
  seed: 1001,
  customerPrefix: 'd',
  firstAccount: 1001,
  customers: [
    { name: ['Maren', 'J', 'Ashdown'], mailbox: 'maren.ashdown' },
    { name: ['Tobias', null, 'Ashdown'], mailbox: 'tobias.ashdown' },
    { name: ['Imani', 'R', 'Okonjo-Vale'], mailbox: 'imani' },
    { name: ['美咲', null, '佐東'], mailbox: 'misaki.sato' },
    { name: ['Олена', null, 'Яворенко'], mailbox: 'olena.yavorenko' },
    // German tax ids of real people never begin with 0 (Federal Central Tax Office).
    {
      name: ['Jürgen', null, 'Großkamp'],
      mailbox: 'juergen',
      foreignTaxId: { taxId: '02315678906', taxIdCountry: 'DE' },
    },
    { name: ['نورة', null, 'الدريعي'], mailbox: 'noura' },
    { name: ['Siobhán', 'M', 'Ní Dhuibhne'], mailbox: 'siobhan' },
    { name: ['Mateo', null, 'Villaseñor Ruano'], mailbox: 'mateo.v' },
    { name: ['பிரியா', null, 'இராமவேலன்'], mailbox: 'priya' },
    { name: ['Élodie', 'C', 'Charbonnel'], mailbox: 'elodie.charbonnel' },
    { name: ['Θάλεια', null, 'Παππαδέα'], mailbox: 'thaleia' },
  ],
  accounts: [
    {
      ...{ type: 'CHECKING', ...NEW_YORK, owners: [1, 2] },
      beneficiaries: [
        ['Juniper', 'Ashdown', 'PRIMARY', 'CHILD', 50],
        ['Caspian', 'Ashdown', 'PRIMARY', 'CHILD', 50],
        ['Harborlight Relief', 'Fund', 'CONTINGENT', 'CHARITY', 100],
      ],
    },
    { type: 'SAVINGS', ...NEW_YORK, owners: [1, 2], beneficiaries: [['Juniper', 'Ashdown', 'PRIMARY', 'CHILD', 100]] },
    {
      type: 'CHECKING',
      ...CHICAGO,
      owners: [3],
      beneficiaries: [['Adaeze', 'Okonjo-Vale', 'PRIMARY', 'SIBLING', 100]],
    },
    { type: 'CHECKING', ...TOKYO, owners: [4], beneficiaries: [['蓮', '佐東', 'PRIMARY', 'SPOUSE', 100]] },
    {
      type: 'SAVINGS',
      ...BERLIN,
      owners: [6],
      beneficiaries: [
        ['Käthe', 'Großkamp', 'PRIMARY', 'PARENT', 60],
        ['Friedl', 'Obermoor', 'PRIMARY', 'FRIEND', 40],
      ],
    },
    { type: 'CHECKING', ...KUWAIT, owners: [7] },
    { type: 'CHECKING', ...LOS_ANGELES, owners: [5], beneficiaries: [['Марко', 'Яворенко', 'PRIMARY', 'SPOUSE', 100]] },
    {
      type: 'MONEY_MARKET',
      ...NEW_YORK,
      owners: [8],
      beneficiaries: [['Ní Dhuibhne Family', 'Trust', 'PRIMARY', 'TRUST', 100]],
    },
    { type: 'CHECKING', ...CHICAGO, owners: [9] },
    { type: 'CD', ...CHICAGO, owners: [9, 3] },
    {
      type: 'SAVINGS',
      ...LOS_ANGELES,
      owners: [10],
      beneficiaries: [['வேலன்', 'இராமவேலன்', 'PRIMARY', 'FAMILY_RELATIVE', 100]],
    },
    { type: 'CHECKING', ...BERLIN, owners: [11] },
    { type: 'SAVINGS', ...BERLIN, owners: [12, 11] },
    { type: 'SAVINGS', ...NEW_YORK, owners: [1, 2, 3] },
    { type: 'CHECKING', ...LOS_ANGELES, owners: [5, 10] },
  ],
};

const ACME: DemoBank = {
  program: 'acme',
  seed: 2001,
  customerPrefix: 'ac',
  firstAccount: 2001,
  customers: [
    { name: ['Rowan', null, 'Whitlock-Dane'], mailbox: 'rowan' },
    { name: ['Wren', 'A', 'Castelhorn'], mailbox: 'wren.castelhorn' },
    { name: ['민준', null, '금'], mailbox: 'minjun' },
    { name: ['Beatrix', null, 'Olanderson'], mailbox: 'beatrix' },
    { name: ['Tariq', null, 'Benhaddouche'], mailbox: 'tariq' },
    { name: ['Linnéa', 'S', 'Forsgårdh'], mailbox: 'linnea' },
  ],
  accounts: [
    {
      type: 'CHECKING',
      ...NEW_YORK,
      owners: [1],
      beneficiaries: [['Sorrel', 'Whitlock-Dane', 'PRIMARY', 'SPOUSE', 100]],
    },
    { type: 'SAVINGS', ...NEW_YORK, owners: [1, 2] },
    {
      type: 'CHECKING',
      ...CHICAGO,
      owners: [2],
      beneficiaries: [['Larkspur Animal', 'Shelter', 'CONTINGENT', 'CHARITY', 25]],
    },
    { type: 'CHECKING', ...LOS_ANGELES, owners: [3] },
    { type: 'CHECKING', ...BERLIN, owners: [6, 5] },
    {
      type: 'MONEY_MARKET',
      ...NEW_YORK,
      owners: [4],
      beneficiaries: [['Odalys', 'Olanderson', 'PRIMARY', 'CHILD', 100]],
    },
    { type: 'CHECKING', ...KUWAIT, owners: [5] },
  ],
};

export const DEMO_BANKS: readonly DemoBank[] = [DEMO, ACME];
