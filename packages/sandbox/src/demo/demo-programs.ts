/** The demo banks as issuers of documents, as a file of programs has them. Nobody has these names and numbers. */

/** A lighthouse that throws its light both ways, on a rock. */
const LIGHTHOUSE = [
  'M27 58 L29.4 24 H34.6 L37 58 Z',
  'M28 22 V16 L32 11 L36 16 V22 Z',
  'M26.5 14.5 L6 9 V21 L26.5 18.5 Z',
  'M37.5 14.5 L58 9 V21 L37.5 18.5 Z',
  'M10 62 Q21 54 32 60 T54 60 V64 H10 Z',
].join(' ');

/** A peak behind another one. */
const PEAKS = 'M4 56 L26 14 L48 56 Z M51 56 L38.6 32.4 L44 22 L62 56 Z';

/** By the ids of the programs. */
export const DEMO_PROGRAMS = {
  demo: {
    name: 'Harborlight',
    letterhead: {
      name: 'Harborlight Bank',
      addressLines: ['1 Old Lanternworks Street', 'Port Ambergill, OR 00115'],
      telephone: '+1 503 555 0100',
    },
    payer: {
      name: 'Harborlight Bank',
      addressLines: ['1 Old Lanternworks Street', 'Port Ambergill, OR 00115'],
      telephone: '+1 503 555 0100',
      // The Internal Revenue Service assigns no prefix 07 ('How EINs are assigned and valid EIN prefixes').
      taxId: '07-0001001',
    },
    errorResolution: {
      telephone: '+1 503 555 0111',
      email: 'care@harborlight.example',
      addressLines: ['Harborlight Bank, Customer Care', 'PO Box 11', 'Port Ambergill, OR 00115'],
    },
    logo: { svgPath: LIGHTHOUSE, viewBox: [0, 0, 64, 64], color: '#1f4e5f' },
    clients: ['demo'],
  },
  acme: {
    name: 'Acme',
    letterhead: {
      name: 'Acme Savings',
      addressLines: ['42 Seventh Orchard Way', 'Cinderford Heights, IL 00242'],
      telephone: '+1 312 555 0142',
    },
    payer: {
      name: 'Acme Savings',
      addressLines: ['42 Seventh Orchard Way', 'Cinderford Heights, IL 00242'],
      telephone: '+1 312 555 0142',
      taxId: '07-0002001',
    },
    errorResolution: {
      telephone: '+1 312 555 0143',
      email: 'help@acme.example',
      addressLines: ['Acme Savings, Customer Service', '42 Seventh Orchard Way', 'Cinderford Heights, IL 00242'],
    },
    logo: { svgPath: PEAKS, viewBox: [0, 0, 64, 64], color: '#5b3a1e' },
    clients: ['acme'],
  },
} as const;
