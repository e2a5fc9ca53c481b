import { InvalidInput, Refusal } from '../shared/errors.js';

export class ProgramNotFound extends Refusal {
  readonly code = 'program_not_found';
  constructor() {
    super('The program has no record. Its operator makes one with `tillgate programs set`.');
  }
}

/** A line of an import for one program that is about another one. */
export class OtherProgram extends InvalidInput {
  constructor() {
    super('rule_broken', [
      {
        pointer: '/programId',
        code: 'taken',
        detail: 'programId must be the program of the import. Name that one, or import without --program.',
      },
    ]);
  }
}
