import { Refusal } from '../shared/errors.js';

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

export class OwnApproval extends Refusal {
  readonly code = 'own_approval';
  constructor() {
    super('The subject of this access token asked for the approval, and another person must give it.');
  }
}
