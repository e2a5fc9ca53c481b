import sax, { type SAXParser } from 'sax';
import { TooLarge } from 'tillgate/noun';
import type { TaxFilingError, TaxFilingState } from '../tax-filing.entity.js';
import { UnfitAnswer } from '../tax.errors.js';
import type { FilingAnswer } from '../tax-filing.commands.js';

/** An answer has some hundred bytes for each return with errors. */
export const MAX_ANSWER_BYTES = 10 * 1024 * 1024;
const BYTES_AT_ONCE = 64 * 1024;
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

/** Reads an answer of the IRS. Throws `TooLarge`, and `InvalidInput` for what is none, both at `pointer`. */
export function readAcknowledgement(answer: Buffer, pointer: string): FilingAnswer {
  if (answer.length > MAX_ANSWER_BYTES) {
    throw new TooLarge(`The answer is larger than ${MAX_ANSWER_BYTES} bytes. Send the acknowledgement of one file.`);
  }
  try {
    const reader = new AcknowledgementReader();
    const text = answer.toString('utf8');
    for (let from = 0; from < text.length; from += BYTES_AT_ONCE) reader.write(text.slice(from, from + BYTES_AT_ONCE));
    return reader.end();
  } catch (error) {
    if (!(error instanceof NoAcknowledgement)) throw error;
    throw new UnfitAnswer(error.message, pointer);
  }
}

class NoAcknowledgement extends Error {
  override readonly name = 'NoAcknowledgement';
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
      throw new NoAcknowledgement('Is not well-formed XML, so it is not an acknowledgement.');
    };
  }

  write(text: string): void {
    this.sax.write(text);
  }

  end(): FilingAnswer {
    this.sax.close();
    const word = (this.fields.get('TransmissionStatusCd') ?? '').toLowerCase().replaceAll(/[^a-z]/g, '');
    const receiptId = this.fields.get('ReceiptId') ?? this.fields.get('receiptId') ?? null;
    const transmissionId = this.fields.get('UniqueTransmissionId') ?? null;
    const state = STATES[word] ?? (word === '' && receiptId !== null ? 'SENT' : null);
    if (state === null || (transmissionId === null && receiptId === null)) {
      throw new NoAcknowledgement(
        'Has no known TransmissionStatusCd, or no UniqueTransmissionId, so it is not an acknowledgement of a transmission.',
      );
    }
    return { filingId: null, transmissionId, receiptId, state, errors: this.errors, records: [...this.records] };
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
