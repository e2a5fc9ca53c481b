import { InvalidInput, Refusal } from '../../shared/errors.js';

export class ProgramNotFound extends Refusal {
  readonly code = 'program_not_found';
  constructor() {
    super('The program has no record. Make one by an import of programs, or with `tillgate programs set`.');
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

/** A line of an import over the API that changes what another person must approve: lines cannot wait. */
export class NotByImport extends InvalidInput {
  constructor(fields: readonly string[]) {
    const detail =
      'An import over the API does not change this field. Send the value on record, and change it by `updateProgram` of GraphQL or `tillgate programs set`.';
    super(
      'rule_broken',
      fields.map(field => ({ pointer: `/${field}`, code: 'fixed', detail })),
    );
  }
}
