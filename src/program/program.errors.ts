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
        detail: 'programId must be the program of the import: that of the access token, or of --program.',
      },
    ]);
  }
}

/** A line of an import over the API that changes what only the command line may: who must approve what, for one. */
export class SetByCommandLine extends InvalidInput {
  constructor(fields: readonly string[]) {
    const detail = 'This field changes only by `tillgate programs set`. Send the value on record.';
    super(
      'rule_broken',
      fields.map(field => ({ pointer: `/${field}`, code: 'fixed', detail })),
    );
  }
}
