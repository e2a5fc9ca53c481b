/** An element of XML, as much of it as a report needs: no comments, no mixed content. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

/** Reads a document. Throws where it is not well-formed. */
export function readXml(document: string): Element {
  const root: Element = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  const body = document.replace(/^<\?xml [^?]*\?>\s*/, '');
  for (const [whole, end, name = '', given = '', text = ''] of body.matchAll(
    /<(\/?)([\w.]+)((?: \w+="[^"<]*")*)>|([^<]+)/g,
  )) {
    const top = open.at(-1) as Element;
    if (end === undefined) top.text += unescaped(text);
    else if (end === '/') {
      if (open.pop()?.name !== name) throw new Error(`${whole} ends nothing`);
    } else {
      const attributes = [...given.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value]);
      const element = {
        name,
        attributes: Object.fromEntries(attributes) as Record<string, string>,
        children: [],
        text: '',
      };
      top.children.push(element);
      open.push(element);
    }
  }
  const [first] = root.children;
  if (open.length !== 1 || root.children.length !== 1 || !first) throw new Error('the document is not well-formed');
  return first;
}

function unescaped(text: string): string {
  const characters: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };
  return text.replace(/&[^;]*;?/g, entity => {
    const character = characters[entity];
    if (character === undefined) throw new Error('a text has an unknown entity');
    return character;
  });
}

/**
 * What camt.053.001.08 wants of the elements that are used: their children in their order. `!` means that an element
 * must be there, `+` at least once, `*` any number of times; a choice has bars.
 */
const ORDER: Readonly<Record<string, string>> = {
  Document: 'BkToCstmrStmt!',
  BkToCstmrStmt: 'GrpHdr! Stmt+',
  GrpHdr: 'MsgId! CreDtTm!',
  Stmt: 'Id! CreDtTm FrToDt Acct! Bal+ TxsSummry Ntry*',
  FrToDt: 'FrDtTm! ToDtTm!',
  Acct: 'Id! Tp Ccy Ownr Svcr',
  'Acct/Id': 'Othr!',
  Othr: 'Id!',
  Ownr: 'Nm',
  Svcr: 'FinInstnId!',
  FinInstnId: 'Nm Othr',
  Bal: 'Tp! Amt! CdtDbtInd! Dt!',
  'Bal/Tp': 'CdOrPrtry!',
  CdOrPrtry: 'Cd!',
  Tp: 'Cd!',
  Dt: 'Dt!',
  TxsSummry: 'TtlNtries TtlCdtNtries TtlDbtNtries',
  TtlNtries: 'NbOfNtries Sum TtlNetNtry',
  TtlCdtNtries: 'NbOfNtries Sum',
  TtlDbtNtries: 'NbOfNtries Sum',
  TtlNetNtry: 'Amt! CdtDbtInd!',
  Ntry: 'Amt! CdtDbtInd! Sts! BookgDt ValDt AcctSvcrRef BkTxCd! NtryDtls! AddtlNtryInf',
  Sts: 'Cd!',
  BookgDt: 'Dt!',
  ValDt: 'Dt!',
  BkTxCd: 'Domn Prtry',
  Domn: 'Cd! Fmly!',
  Fmly: 'Cd! SubFmlyCd!',
  Prtry: 'Cd! Issr',
  NtryDtls: 'TxDtls!',
  TxDtls: 'Refs! RmtInf AddtlTxInf',
  Refs: 'AcctSvcrRef!',
  RmtInf: 'Ustrd*',
};

const DAY = /^\d{4}-\d\d-\d\d$/;

/** The form of what has no children. */
const FORMS: Readonly<Record<string, RegExp>> = {
  MsgId: /^.{1,35}$/su,
  Id: /^.{1,35}$/su,
  'Acct/Id/Othr/Id': /^.{1,34}$/su,
  CreDtTm: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  FrDtTm: /^\d{4}-\d\d-\d\dT00:00:00$/,
  ToDtTm: /^\d{4}-\d\d-\d\dT23:59:59$/,
  Ccy: /^[A-Z]{3}$/,
  Nm: /^.{1,140}$/su,
  Amt: /^\d{1,18}(\.\d{1,5})?$/,
  Sum: /^\d{1,18}(\.\d{1,5})?$/,
  CdtDbtInd: /^(CRDT|DBIT)$/,
  NbOfNtries: /^\d{1,15}$/,
  Dt: DAY,
  Cd: /^.{1,4}$/,
  'Prtry/Cd': /^.{1,35}$/su,
  SubFmlyCd: /^[A-Z]{4}$/,
  Issr: /^.{1,35}$/su,
  AcctSvcrRef: /^.{1,35}$/su,
  Ustrd: /^.{1,140}$/su,
  AddtlNtryInf: /^.{1,500}$/su,
  AddtlTxInf: /^.{1,500}$/su,
};

/** What a camt.053 says. Throws where elements are missing, out of order or too long. */
export function readCamt053(text: string): Camt053 {
  const document = readXml(text);
  if (document.attributes['xmlns'] !== 'urn:iso:std:iso:20022:tech:xsd:camt.053.001.08') {
    throw new Error('another message');
  }
  check(document, 'Document');
  const statement = at(document, 'BkToCstmrStmt', 'Stmt');
  const balance = (code: string): SignedAmount => {
    const found = all(statement, 'Bal').find(one => at(one, 'Tp', 'CdOrPrtry', 'Cd').text === code);
    return signed(found as Element);
  };
  return {
    messageId: at(document, 'BkToCstmrStmt', 'GrpHdr', 'MsgId').text,
    createdAt: at(statement, 'CreDtTm').text,
    account: at(statement, 'Acct', 'Id', 'Othr', 'Id').text,
    currency: at(statement, 'Acct', 'Ccy').text,
    owner: find(statement, 'Acct', 'Ownr', 'Nm')?.text ?? null,
    servicer: at(statement, 'Acct', 'Svcr', 'FinInstnId', 'Nm').text,
    from: at(statement, 'FrToDt', 'FrDtTm').text.slice(0, 10),
    to: at(statement, 'FrToDt', 'ToDtTm').text.slice(0, 10),
    opening: balance('OPBD').amount,
    closing: balance('CLBD').amount,
    count: Number(at(statement, 'TxsSummry', 'TtlNtries', 'NbOfNtries').text),
    net: signed(at(statement, 'TxsSummry', 'TtlNtries', 'TtlNetNtry')).amount,
    entries: all(statement, 'Ntry').map(entry => ({
      ...signed(entry),
      status: at(entry, 'Sts', 'Cd').text,
      bookedOn: at(entry, 'BookgDt', 'Dt').text,
      valueOn: at(entry, 'ValDt', 'Dt').text,
      reference: referenceOf(entry),
      code: ['Cd', 'Fmly/Cd', 'Fmly/SubFmlyCd']
        .map(path => at(entry, 'BkTxCd', 'Domn', ...path.split('/')).text)
        .join(),
      type: at(entry, 'BkTxCd', 'Prtry', 'Cd').text,
      text: find(entry, 'AddtlNtryInf')?.text ?? '',
      remittance: all(find(entry, 'NtryDtls', 'TxDtls', 'RmtInf') ?? entry, 'Ustrd').map(one => one.text),
      whole: find(entry, 'NtryDtls', 'TxDtls', 'AddtlTxInf')?.text ?? null,
    })),
  };
}

export interface Camt053 {
  readonly messageId: string;
  readonly createdAt: string;
  readonly account: string;
  readonly currency: string;
  readonly owner: string | null;
  readonly servicer: string;
  readonly from: string;
  readonly to: string;
  /** With a minus for a debit. */
  readonly opening: string;
  readonly closing: string;
  readonly count: number;
  readonly net: string;
  readonly entries: readonly (SignedAmount & {
    readonly status: string;
    readonly bookedOn: string;
    readonly valueOn: string;
    /** Of the entry, and of its details. */
    readonly reference: string;
    /** Domain, family and sub-family. */
    readonly code: string;
    readonly type: string;
    readonly text: string;
    readonly remittance: readonly string[];
    /** The id of the transaction where the reference does not hold it. */
    readonly whole: string | null;
  })[];
}

interface SignedAmount {
  readonly amount: string;
}

/** Some importers read that of the details alone. */
function referenceOf(entry: Element): string {
  const { text } = at(entry, 'AcctSvcrRef');
  if (at(entry, 'NtryDtls', 'TxDtls', 'Refs', 'AcctSvcrRef').text !== text) throw new Error('two references differ');
  return text;
}

function signed(element: Element): SignedAmount {
  const sign = at(element, 'CdtDbtInd').text === 'DBIT' ? '-' : '';
  return { amount: `${sign}${at(element, 'Amt').text}` };
}

function all(element: Element, name: string): Element[] {
  return element.children.filter(child => child.name === name);
}

function find(element: Element, ...path: readonly string[]): Element | undefined {
  return path.reduce<Element | undefined>((found, name) => found?.children.find(child => child.name === name), element);
}

function at(element: Element, ...path: readonly string[]): Element {
  const found = find(element, ...path);
  if (!found) throw new Error(`${element.name} lacks ${path.join('/')}`);
  return found;
}

/** The rule for the longest end of a path that has one. */
function ruleOf<Rule>(rules: Readonly<Record<string, Rule>>, path: string): Rule | undefined {
  const names = path.split('/');
  const ends = names.map((_, index) => names.slice(index).join('/'));
  return ends.map(end => rules[end]).find(rule => rule !== undefined);
}

function check(element: Element, path: string): void {
  if (element.children.length === 0) {
    if (!ruleOf(FORMS, path)?.test(element.text)) throw new Error(`${path} has a text that it may not have`);
    return;
  }
  const order = ruleOf(ORDER, path);
  if (order === undefined) throw new Error(`${path} has elements`);
  const pattern = order
    .split(' ')
    .map(one => `(?:${one.replace(/[!+*]$/, '')} )${{ '!': '', '+': '+', '*': '*' }[one.at(-1) ?? ''] ?? '?'}`)
    .join('');
  const names = element.children.map(({ name }) => `${name} `).join('');
  if (!new RegExp(`^${pattern}$`).test(names)) throw new Error(`${path} has ${names}where it wants ${order}`);
  for (const child of element.children) check(child, `${path}/${child.name}`);
}
