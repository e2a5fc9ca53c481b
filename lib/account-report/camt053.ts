import { totalOf, type AccountReport, type ReportEntry } from './report.js';
import { escaped, fittingId, lineOf } from './texts.js';
import { codesOf } from './transaction-codes.js';

const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:camt.053.001.08';

/** The longest texts of the schema: Max34Text, Max35Text and so on. */
const MAX = { account: 34, id: 35, name: 140, line: 140, information: 500 };

/** ExternalCashAccountType1Code. A certificate of deposit is savings with terms of withdrawal. */
const ACCOUNT_TYPES = { CHECKING: 'CACC', SAVINGS: 'SVGS', MONEY_MARKET: 'MOMA', CD: 'LLSV' };

const SIGNS = { CREDIT: 'CRDT', DEBIT: 'DBIT' };

/** ISO 20022 BankToCustomerStatement, version 8. */
export async function* camt053(report: AccountReport): AsyncGenerator<string> {
  yield opening(report);
  const entryOf = entriesOf(report);
  for await (const entries of report.entries('ledger')) yield entries.map(entryOf).join('');
  yield '</Stmt></BkToCstmrStmt></Document>\n';
}

function opening(report: AccountReport): string {
  const { bank, account, owners, period, openingMinor, closingMinor, days } = report;
  const { currency, decimalOf } = account;
  const [credits, debits] = [totalOf(days, 'credits'), totalOf(days, 'debits')];
  const id = text('Id', report.id, MAX.id);
  const created = `<CreDtTm>${report.createdAt}</CreDtTm>`;
  const owner = owners.length > 0 ? `<Ownr>${text('Nm', owners.join(', '), MAX.name)}</Ownr>` : '';
  const balance = (code: string, minor: bigint, day: string): string =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="${currency}">${decimalOf(magnitude(minor))}</Amt>` +
    `<CdtDbtInd>${signOf(minor)}</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>\n`;
  const sum = (count: number, minor: bigint): string =>
    `<NbOfNtries>${count}</NbOfNtries><Sum>${decimalOf(minor)}</Sum>`;
  const net = credits.minor - debits.minor;
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="${NAMESPACE}"><BkToCstmrStmt>\n` +
    `<GrpHdr><MsgId>${escaped(report.id)}</MsgId>${created}</GrpHdr>\n<Stmt>${id}${created}` +
    // The local time of the account, so it has no offset.
    `<FrToDt><FrDtTm>${period.start}T00:00:00</FrDtTm><ToDtTm>${period.end}T23:59:59</ToDtTm></FrToDt>\n` +
    `<Acct><Id><Othr>${text('Id', fittingId(account.id, MAX.account), MAX.account)}</Othr></Id>` +
    `<Tp><Cd>${ACCOUNT_TYPES[account.type]}</Cd></Tp><Ccy>${currency}</Ccy>${owner}` +
    `<Svcr><FinInstnId>${text('Nm', bank.name, MAX.name)}` +
    `<Othr>${text('Id', fittingId(bank.id, MAX.id), MAX.id)}</Othr></FinInstnId></Svcr></Acct>\n` +
    balance('OPBD', openingMinor, period.start) +
    balance('CLBD', closingMinor, period.end) +
    `<TxsSummry><TtlNtries>${sum(credits.count + debits.count, credits.minor + debits.minor)}` +
    `<TtlNetNtry><Amt>${decimalOf(magnitude(net))}</Amt><CdtDbtInd>${signOf(net)}</CdtDbtInd></TtlNetNtry></TtlNtries>` +
    `<TtlCdtNtries>${sum(credits.count, credits.minor)}</TtlCdtNtries>` +
    `<TtlDbtNtries>${sum(debits.count, debits.minor)}</TtlDbtNtries></TxsSummry>\n`
  );
}

function entriesOf({ account, bank }: AccountReport): (entry: ReportEntry) => string {
  const { currency, decimalOf } = account;
  const issuer = text('Issr', fittingId(bank.id, MAX.id), MAX.id);
  return ({ id, day, description, memo, type, direction, amountMinor }) => {
    const reference = fittingId(id, MAX.id);
    const [domain, family, subFamily] = codesOf(type, direction).iso;
    // Importers read the reference among the details, such as those of Odoo and OCA, or that of the entry. It holds 35
    // characters, and an id that is longer is whole beside it.
    const servicerReference = text('AcctSvcrRef', reference, MAX.id);
    const remittance = ustrd(memo ?? '');
    const details =
      `<Refs>${servicerReference}</Refs>` +
      (remittance === '' ? '' : `<RmtInf>${remittance}</RmtInf>`) +
      (reference === id ? '' : text('AddtlTxInf', id, MAX.information));
    return (
      `<Ntry><Amt Ccy="${currency}">${decimalOf(amountMinor)}</Amt><CdtDbtInd>${SIGNS[direction]}</CdtDbtInd>` +
      `<Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${day}</Dt></BookgDt><ValDt><Dt>${day}</Dt></ValDt>` +
      servicerReference +
      `<BkTxCd><Domn><Cd>${domain}</Cd><Fmly><Cd>${family}</Cd><SubFmlyCd>${subFamily}</SubFmlyCd></Fmly></Domn>` +
      `<Prtry>${text('Cd', fittingId(type, MAX.id), MAX.id)}${issuer}</Prtry></BkTxCd>` +
      `<NtryDtls><TxDtls>${details}</TxDtls></NtryDtls>${text('AddtlNtryInf', description, MAX.information)}</Ntry>\n`
    );
  };
}

/** Unstructured remittance information, in lines as long as the schema takes. */
function ustrd(memo: string): string {
  const line = lineOf(memo, MAX.information);
  let lines = '';
  for (let at = 0; at < line.length;) {
    const part = lineOf(line.slice(at), MAX.line);
    lines += text('Ustrd', part, MAX.line);
    at = line.indexOf(part, at) + part.length;
  }
  return lines;
}

/** An element, or nothing for an empty text, which the schema does not take. */
function text(name: string, value: string, maxLength: number): string {
  const line = lineOf(value, maxLength);
  return line === '' ? '' : `<${name}>${escaped(line)}</${name}>`;
}

function magnitude(minor: bigint): bigint {
  return minor < 0n ? -minor : minor;
}

function signOf(minor: bigint): string {
  return minor < 0n ? SIGNS.DEBIT : SIGNS.CREDIT;
}
