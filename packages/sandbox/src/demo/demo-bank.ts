/** A customer of the demo data: all people and their accounts are invented. `demo-records.ts` draws the rest. */

export interface DemoCustomer {
  readonly name: readonly [first: string, middle: string | null, last: string];
  /** The part before the @. */
  readonly mailbox: string;
  /** The tax id of another country than the United States. */
  readonly foreignTaxId?: { readonly taxId: string; readonly taxIdCountry: string };
}

interface Place {
  readonly currency: 'USD' | 'EUR' | 'JPY' | 'KWD';
  readonly timeZone: string;
}

export interface DemoAccount extends Place {
  readonly type: 'CHECKING' | 'SAVINGS' | 'MONEY_MARKET' | 'CD';
  /** Numbers of customers, from 1, the primary owner first. */
  readonly owners: readonly number[];
  readonly beneficiaries: readonly DemoBeneficiary[];
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
  readonly program: 'demo' | 'acme';
  readonly seed: number;
  /** `d` and the number 1 make the customer id 0000d001-0000-4000-8000-000000000000. */
  readonly customerPrefix: string;
  /** The number of the first account: `demo-1001`. */
  readonly firstAccount: number;
  readonly customers: readonly DemoCustomer[];
  readonly accounts: readonly DemoAccount[];
}

const NEW_YORK: Place = { currency: 'USD', timeZone: 'America/New_York' };
const CHICAGO: Place = { currency: 'USD', timeZone: 'America/Chicago' };
const LOS_ANGELES: Place = { currency: 'USD', timeZone: 'America/Los_Angeles' };
const BERLIN: Place = { currency: 'EUR', timeZone: 'Europe/Berlin' };
const TOKYO: Place = { currency: 'JPY', timeZone: 'Asia/Tokyo' };
const KUWAIT: Place = { currency: 'KWD', timeZone: 'Asia/Kuwait' };

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
    { name: ['प्रिया', null, 'रामवेलन'], mailbox: 'priya' },
    { name: ['Élodie', 'C', 'Charbonnel'], mailbox: 'elodie.charbonnel' },
    { name: ['Θάλεια', null, 'Παππαδέα'], mailbox: 'thaleia' },
  ],
  accounts: [
    account(
      'CHECKING',
      NEW_YORK,
      [1, 2],
      [
        ['Juniper', 'Ashdown', 'PRIMARY', 'CHILD', 50],
        ['Caspian', 'Ashdown', 'PRIMARY', 'CHILD', 50],
        ['Harborlight Relief', 'Fund', 'CONTINGENT', 'CHARITY', 100],
      ],
    ),
    account('SAVINGS', NEW_YORK, [1, 2], [['Juniper', 'Ashdown', 'PRIMARY', 'CHILD', 100]]),
    account('CHECKING', CHICAGO, [3], [['Adaeze', 'Okonjo-Vale', 'PRIMARY', 'SIBLING', 100]]),
    account('CHECKING', TOKYO, [4], [['蓮', '佐東', 'PRIMARY', 'SPOUSE', 100]]),
    account(
      'SAVINGS',
      BERLIN,
      [6],
      [
        ['Käthe', 'Großkamp', 'PRIMARY', 'PARENT', 60],
        ['Friedl', 'Obermoor', 'PRIMARY', 'FRIEND', 40],
      ],
    ),
    account('CHECKING', KUWAIT, [7]),
    account('CHECKING', LOS_ANGELES, [5], [['Марко', 'Яворенко', 'PRIMARY', 'SPOUSE', 100]]),
    account('MONEY_MARKET', NEW_YORK, [8], [['Ní Dhuibhne Family', 'Trust', 'PRIMARY', 'TRUST', 100]]),
    account('CHECKING', CHICAGO, [9]),
    account('CD', CHICAGO, [9, 3]),
    account('SAVINGS', LOS_ANGELES, [10], [['वेलन', 'रामवेलन', 'PRIMARY', 'FAMILY_RELATIVE', 100]]),
    account('CHECKING', BERLIN, [11]),
    account('SAVINGS', BERLIN, [12, 11]),
    account('SAVINGS', NEW_YORK, [1, 2, 3]),
    account('CHECKING', LOS_ANGELES, [5, 10]),
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
    account('CHECKING', NEW_YORK, [1], [['Sorrel', 'Whitlock-Dane', 'PRIMARY', 'SPOUSE', 100]]),
    account('SAVINGS', NEW_YORK, [1, 2]),
    account('CHECKING', CHICAGO, [2], [['Larkspur Animal', 'Shelter', 'CONTINGENT', 'CHARITY', 25]]),
    account('CHECKING', LOS_ANGELES, [3]),
    account('CHECKING', BERLIN, [6, 5]),
    account('MONEY_MARKET', NEW_YORK, [4], [['Odalys', 'Olanderson', 'PRIMARY', 'CHILD', 100]]),
    account('CHECKING', KUWAIT, [5]),
  ],
};

export const DEMO_BANKS: readonly DemoBank[] = [DEMO, ACME];

function account(
  type: DemoAccount['type'],
  place: Place,
  owners: readonly number[],
  beneficiaries: readonly DemoBeneficiary[] = [],
): DemoAccount {
  return { type, ...place, owners, beneficiaries };
}
