import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import sax, { type SAXParser } from 'sax';
import { UsageError } from 'tillgate/noun';
import type { TaxFilingError, TaxFilingState } from '../tax-filing.entity.js';

/** The answer of the IRS to a transmission. */
export interface Acknowledgement {
  readonly transmissionId: string | null;
  readonly receiptId: string | null;
  readonly state: TaxFilingState;
  /** The errors of the transmission and its submission. */
  readonly errors: readonly TaxFilingError[];
  /** The errors of its returns, by their record ids. */
  readonly records: ReadonlyMap<number, readonly TaxFilingError[]>;
}

/** As large as a transmission may be. */
const MAX_BYTES = 100_000_000;
/** The number of errors of a return that are kept. */
const MAX_ERRORS = 20;
const MAX_MESSAGE = 500;

/** Words of the IRS, in any case and spelling. */
const STATES: Readonly<Record<string, TaxFilingState>> = {
  received: 'SENT',
  processing: 'SENT',
  accepted: 'ACCEPTED',
  acceptedwitherrors: 'ACCEPTED_WITH_ERRORS',
  // A transmission has one submission here, so none can be accepted in part.
  partiallyaccepted: 'ACCEPTED_WITH_ERRORS',
  rejected: 'REJECTED',
};

/** Reads an answer of the IRS, whatever its size. Throws `UsageError` for what is none. */
export async function readAcknowledgement(path: string): Promise<Acknowledgement> {
  const size = await stat(path).then(
    found => found.size,
    () => {
      throw new UsageError('The file cannot be opened. Check the path and the permissions.');
    },
  );
  if (size > MAX_BYTES) {
    throw new UsageError(`The file is larger than ${MAX_BYTES} bytes, so it is no acknowledgement.`);
  }
  const reader = new AcknowledgementReader();
  for await (const text of createReadStream(path, { encoding: 'utf8' })) reader.write(text as string);
  return reader.end();
}

class AcknowledgementReader {
  private readonly sax: SAXParser = sax.parser(true, { xmlns: true, trim: true });
  private readonly path: string[] = [];
  private text = '';
  private readonly fields = new Map<string, string>();
  private readonly errors: TaxFilingError[] = [];
  private readonly records = new Map<number, TaxFilingError[]>();
  private error: { code: string; message: string } | null = null;
  private recordErrors: TaxFilingError[] = [];

  constructor() {
    this.sax.onopentag = tag => this.open('local' in tag ? tag.local : tag.name);
    // The parser has properties for its handlers, and no `addEventListener`.
    // oxlint-disable-next-line unicorn/prefer-add-event-listener
    this.sax.ontext = text => (this.text += text);
    this.sax.onclosetag = () => this.close();
    // oxlint-disable-next-line unicorn/prefer-add-event-listener
    this.sax.onerror = () => {
      throw new UsageError('The file is no well-formed XML, so it is no acknowledgement.');
    };
  }

  write(text: string): void {
    this.sax.write(text);
  }

  end(): Acknowledgement {
    this.sax.close();
    const word = (this.fields.get('TransmissionStatusCd') ?? '').toLowerCase().replaceAll(/[^a-z]/g, '');
    const receiptId = this.fields.get('ReceiptId') ?? this.fields.get('receiptId') ?? null;
    const transmissionId = this.fields.get('UniqueTransmissionId') ?? null;
    const state = STATES[word] ?? (word === '' && receiptId !== null ? 'SENT' : null);
    if (state === null || (transmissionId === null && receiptId === null)) {
      throw new UsageError(
        'The file has no TransmissionStatusCd that is known, or no UniqueTransmissionId, so it is no acknowledgement of a transmission.',
      );
    }
    return { transmissionId, receiptId, state, errors: this.errors, records: this.records };
  }

  private open(name: string): void {
    this.path.push(name);
    this.text = '';
    if (name === 'RecordResultGrp') this.recordErrors = [];
    if (name === 'ErrorInformationGrp') this.error = { code: '', message: '' };
  }

  private close(): void {
    const name = this.path.pop() ?? '';
    const isInRecord = this.path.includes('RecordResultGrp');
    const { error } = this;
    if (error && name === 'ErrorMessageCd') error.code = this.text.slice(0, MAX_MESSAGE);
    // The value that the IRS repeats beside it is personal data, and is not kept.
    if (error && name === 'ErrorMessageTxt') error.message = this.text.slice(0, MAX_MESSAGE);
    if (name === 'ErrorInformationGrp' && error) {
      const errors = isInRecord ? this.recordErrors : this.errors;
      if (errors.length < MAX_ERRORS) errors.push(error);
      this.error = null;
    } else if (isInRecord && name === 'RecordId') this.records.set(Number(this.text), this.recordErrors);
    else if (!error && !this.fields.has(name)) this.fields.set(name, this.text);
    this.text = '';
  }
}
