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

/** `runId` names the run that goes on, where the request does not. */
export class StatementRunRunning extends Refusal {
  readonly code = 'statement_run_running';
  constructor(runId: string | null = null) {
    super(
      `The run${runId === null ? '' : ` ${runId} of this period`} is not finished. Wait until its status is no longer RUNNING, or stop it.`,
    );
  }
}

export class StatementRunOver extends Refusal {
  readonly code = 'statement_run_over';
  constructor() {
    super('The run is over, so there is nothing to stop. Read its status.');
  }
}

export class StatementRunShared extends Refusal {
  readonly code = 'statement_run_shared';
  constructor() {
    super(
      'The run issues documents of other programs as well, so it is not stopped for one. Wait until it is finished.',
    );
  }
}

/** Documents of a period that goes on by the clock of the program. */
export class PeriodNotOver extends InvalidInput {
  constructor() {
    super('rule_broken', [
      { pointer: '/period', code: 'range', detail: 'Must be over: the documents of a period are issued when it is.' },
    ]);
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
