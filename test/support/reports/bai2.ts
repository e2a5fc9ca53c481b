/**
 * Reads BAI2 as its specification describes it (Cash Management Balance Reporting Specifications, version 2), apart
 * from the code that writes it. Throws where a control total or a count is wrong.
 */
export function readBai2(text: string): Bai2File {
  const lines = text.split('\r\n');
  if (lines.pop() !== '') throw new Error('the last record has no end');
  const reader = new Reader();
  for (const line of lines) {
    if (line.length > 80) throw new Error(`a record has ${line.length} characters`);
    if (!/^[\x20-\x7e]+$/.test(line)) throw new Error('a record is not ASCII');
    reader.read(line);
  }
  if (!lines.at(-1)?.startsWith('99,')) throw new Error('there is no file trailer');
  const [sender = '', receiver = '', date = '', time = '', id = ''] = reader.file;
  return { sender, receiver, date, time, id, groups: reader.groups };
}

/** What a trailer is about: the sum of the amounts, and the number of records, since its header. */
class Part {
  sum = 0n;
  records = 0;
}

class Reader {
  file: string[] = [];
  readonly groups: Bai2Group[] = [];
  private group: string[] = [];
  private accounts: Bai2Account[] = [];
  private last: Bai2Transaction | null = null;
  private readonly ofFile = new Part();
  private ofGroup = new Part();
  private ofAccount = new Part();

  private readonly kinds: Readonly<Record<string, (fields: string[], line: string) => void>> = {
    '01': fields => (this.file = fields),
    '02': fields => {
      [this.group, this.accounts, this.ofGroup] = [fields, [], new Part()];
      this.ofGroup.records = 1;
    },
    '03': ([id = '', currency = '', ...rest]) => {
      this.ofAccount = new Part();
      this.ofAccount.records = 1;
      this.accounts.push({ id, currency, summaries: new Map(), transactions: [] });
      this.summarize(rest);
    },
    '16': ([type = '', amount = '', , reference = '', ...rest]) => {
      this.last = { type, amount: BigInt(amount), reference, text: rest.slice(1).join(',') };
      this.ofAccount.sum += this.last.amount;
      this.accounts.at(-1)?.transactions.push(this.last);
    },
    '88': (fields, line) => {
      if (this.last) this.last.text += line.slice('88,'.length);
      else this.summarize(fields);
    },
    '49': fields => {
      expectFields(fields, [this.ofAccount.sum, this.ofAccount.records]);
      this.ofGroup.sum += this.ofAccount.sum;
    },
    '98': fields => {
      expectFields(fields, [this.ofGroup.sum, this.accounts.length, this.ofGroup.records]);
      this.ofFile.sum += this.ofGroup.sum;
      const [, originator = '', , date = '', , currency = ''] = this.group;
      this.groups.push({ originator, date, currency, accounts: this.accounts });
    },
    '99': fields => expectFields(fields, [this.ofFile.sum, this.groups.length, this.ofFile.records]),
  };

  read(line: string): void {
    const isText = line.startsWith('16,') || line.startsWith('88,');
    if (!isText && !line.endsWith('/')) throw new Error('a record has no end');
    const [code = '', ...fields] = line.replace(/\/$/, '').split(',');
    const kind = this.kinds[code];
    if (!kind) throw new Error(`a record has the unknown code ${code}`);
    for (const part of [this.ofFile, this.ofGroup, this.ofAccount]) part.records += 1;
    if (code !== '88' && code !== '16') this.last = null;
    kind(fields, line);
  }

  /** Type code, amount, item count and funds type, four by four. */
  private summarize(fields: readonly string[]): void {
    for (let at = 0; at + 1 < fields.length; at += 4) {
      const [type = '', amount = '', count = ''] = fields.slice(at, at + 3);
      this.accounts.at(-1)?.summaries.set(type, [BigInt(amount), count]);
      this.ofAccount.sum += BigInt(amount);
    }
  }
}

function expectFields(fields: readonly string[], expected: readonly (bigint | number)[]): void {
  if (fields.join() !== expected.join()) throw new Error(`a trailer has ${fields.join()}, and not ${expected.join()}`);
}

export interface Bai2File {
  readonly sender: string;
  readonly receiver: string;
  readonly date: string;
  readonly time: string;
  readonly id: string;
  readonly groups: readonly Bai2Group[];
}

export interface Bai2Group {
  readonly originator: string;
  /** YYMMDD. */
  readonly date: string;
  readonly currency: string;
  readonly accounts: readonly Bai2Account[];
}

export interface Bai2Account {
  readonly id: string;
  readonly currency: string;
  /** Amount and count by type code. */
  readonly summaries: Map<string, readonly [amount: bigint, count: string]>;
  readonly transactions: Bai2Transaction[];
}

export interface Bai2Transaction {
  readonly type: string;
  readonly amount: bigint;
  readonly reference: string;
  text: string;
}
