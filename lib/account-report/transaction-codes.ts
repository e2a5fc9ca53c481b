/** The names that the formats have for a kind of transaction. */
export interface TransactionCodes {
  /** `TRNTYPE` of OFX 2.2, 11.4.4.3, which has the same values in 1.0.2. */
  readonly ofx: string;
  /** A detail code of BAI2, appendix A: 100 to 399 for credits, 400 to 699 for debits. */
  readonly bai2: string;
  /** Domain, family and sub-family of ISO 20022 (External Code Sets, Bank Transaction Code). */
  readonly iso: readonly [domain: string, family: string, subFamily: string];
}

type Sides = readonly [credit: TransactionCodes, debit: TransactionCodes];

const codes = (ofx: string, bai2: string, ...iso: TransactionCodes['iso']): TransactionCodes => ({ ofx, bai2, iso });

const OTHERS: Sides = [codes('CREDIT', '399', 'PMNT', 'MCOP', 'OTHR'), codes('DEBIT', '699', 'PMNT', 'MDOP', 'OTHR')];

// Types are an open set, most of them words of FDX. Those that say more than the direction are here; a format that has
// no word for one of them gets the general code, and the type itself is beside it where there is a place.
const KNOWN: Readonly<Record<string, Sides>> = {
  INTEREST: [codes('INT', '354', 'ACMT', 'MCOP', 'INTR'), codes('INT', '654', 'ACMT', 'MDOP', 'INTR')],
  FEE: [codes('FEE', '398', 'ACMT', 'MCOP', 'CHRG'), codes('FEE', '698', 'ACMT', 'MDOP', 'CHRG')],
  DEPOSIT: [codes('DEP', '174', 'PMNT', 'MCOP', 'OTHR'), OTHERS[1]],
  DIRECTDEPOSIT: [codes('DIRECTDEP', '165', 'PMNT', 'RCDT', 'OTHR'), OTHERS[1]],
  DIRECTDEBIT: [OTHERS[0], codes('DIRECTDEBIT', '455', 'PMNT', 'RDDT', 'OTHR')],
  ATMDEPOSIT: [codes('ATM', '399', 'PMNT', 'CCRD', 'CDPT'), OTHERS[1]],
  ATMWITHDRAWAL: [OTHERS[0], codes('ATM', '699', 'PMNT', 'CCRD', 'CWDL')],
  INCOMINGWIRE: [codes('CREDIT', '195', 'PMNT', 'RCDT', 'OTHR'), OTHERS[1]],
  OUTGOINGWIRE: [OTHERS[0], codes('DEBIT', '495', 'PMNT', 'ICDT', 'OTHR')],
  PURCHASE: [OTHERS[0], codes('POS', '699', 'PMNT', 'CCRD', 'POSD')],
  POSDEBIT: [OTHERS[0], codes('POS', '699', 'PMNT', 'CCRD', 'POSD')],
  CHECK: [OTHERS[0], codes('CHECK', '475', 'PMNT', 'ICHQ', 'OTHR')],
  TRANSFER: [codes('XFER', '399', 'PMNT', 'MCOP', 'OTHR'), codes('XFER', '699', 'PMNT', 'MDOP', 'OTHR')],
  FEDERALTAXWITHHELD: [OTHERS[0], codes('DEBIT', '699', 'ACMT', 'MDOP', 'TAXE')],
};

export function codesOf(type: string, direction: 'CREDIT' | 'DEBIT'): TransactionCodes {
  const [credit, debit] = Object.hasOwn(KNOWN, type) ? (KNOWN[type] ?? OTHERS) : OTHERS;
  return direction === 'CREDIT' ? credit : debit;
}
