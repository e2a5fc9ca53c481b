import { MAX_PDF_BYTES } from '../../../lib/pdf-check/pdf-check.js';
import { InvalidInput, Refusal, TooLarge } from '../../shared/errors.js';
import type { PdfProblem } from '../../../lib/pdf-check/problem.js';

export class StatementNotFound extends Refusal {
  readonly code = 'statement_not_found';
  constructor() {
    super('The account has no such document of this type.');
  }
}

/** The file is not a PDF, or a PDF that must not be stored. `pointer` is where it is in the input. */
export class UnfitDocument extends InvalidInput {
  constructor({ code, message }: PdfProblem, pointer: string) {
    super('rule_broken', [{ pointer, code, detail: message }]);
  }
}

export class StatementOfTheFuture extends InvalidInput {
  constructor() {
    const detail = 'Must not be later than today in the time zone of the account.';
    super('rule_broken', [{ pointer: '/statementDate', code: 'not_future', detail }]);
  }
}

export class StatementRunNotFound extends Refusal {
  readonly code = 'statement_run_not_found';
  constructor() {
    super('The program has no such run.');
  }
}

export class StatementRunRunning extends Refusal {
  readonly code = 'statement_run_running';
  constructor() {
    super('The run is not finished. Wait until its status is no longer RUNNING.');
  }
}

/** `missing` has the paths of what the record of the program lacks, such as `letterhead.name`. */
export class ProgramIncomplete extends Refusal {
  readonly code = 'program_incomplete';
  constructor(missing: readonly string[]) {
    super(`The record of the program lacks what the documents must say: ${missing.join(', ')}. Complete it first.`);
  }
}

export class PdfTooLarge extends TooLarge {
  constructor() {
    super(`The document is larger than ${MAX_PDF_BYTES} bytes. Send a smaller PDF.`);
  }
}
