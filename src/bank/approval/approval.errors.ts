import { Refusal } from '../../shared/errors.js';

export class ApprovalNotFound extends Refusal {
  readonly code = 'approval_not_found';
  constructor() {
    super('The program has no such approval.');
  }
}

export class ApprovalDecided extends Refusal {
  readonly code = 'approval_decided';
  constructor() {
    super('The approval was approved or rejected already. Nothing was done.');
  }
}

/** The setting names a claim that tells persons, and the caller has none. */
export class PersonUnknown extends Refusal {
  readonly code = 'person_unknown';
  constructor() {
    super('The claim that tells a person is missing, so the gateway cannot know that another person approves.');
  }
}

export class OwnApproval extends Refusal {
  readonly code = 'own_approval';
  constructor() {
    super(
      'The person of this access token, or who acts for the person, asked for the approval. Another person must give it.',
    );
  }
}
