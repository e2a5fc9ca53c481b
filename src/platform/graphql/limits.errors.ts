import { Refusal } from '../../shared/errors.js';

/** What a refused operation is told besides the message. Figures of the document and its sizes, never of data. */
export interface LimitFigures {
  readonly limit: number;
  readonly cost?: number;
}

/** An operation is more than one may be. Nothing of it ran. */
export abstract class BeyondLimit extends Refusal {
  readonly figures: LimitFigures;
  constructor(figures: LimitFigures, message: string) {
    super(message);
    this.figures = figures;
  }
}

export class TooDeep extends BeyondLimit {
  readonly code = 'query_too_deep';
  constructor(limit: number) {
    super(
      { limit },
      `The operation has fields more than ${limit} levels deep. Request the deeper fields in another operation.`,
    );
  }
}

export class TooCostly extends BeyondLimit {
  readonly code = 'query_too_costly';
  constructor(cost: number, limit: number) {
    super(
      { cost, limit },
      `The operation may cost ${cost}, and the limit is ${limit}. Request smaller pages or fewer lists.`,
    );
  }
}

export class TooManyAliases extends BeyondLimit {
  readonly code = 'too_many_aliases';
  constructor(limit: number) {
    super(
      { limit },
      `The operation requests the same field under more than ${limit} aliases. Send the other fields in another operation.`,
    );
  }
}

export class TooManyRootFields extends BeyondLimit {
  readonly code = 'too_many_root_fields';
  constructor(limit: number) {
    super(
      { limit },
      `The operation has more than ${limit} fields at its root. Send the other fields in another operation.`,
    );
  }
}

export class TooManyFragments extends BeyondLimit {
  readonly code = 'too_many_fragments';
  constructor(limit: number) {
    super({ limit }, `The document has more than ${limit} fragments. Send only the fragments that you use.`);
  }
}

export class TooManySelections extends BeyondLimit {
  readonly code = 'too_many_selections';
  constructor(limit: number) {
    super(
      { limit },
      `The operation makes more than ${limit} selections, with each fragment counted wherever it is spread. Request fewer fields.`,
    );
  }
}
