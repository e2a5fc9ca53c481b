import { Refusal } from '../../shared/errors.js';

export class HoldNotFound extends Refusal {
  readonly code = 'hold_not_found';
  constructor() {
    super('The account has no such hold.');
  }
}

export class HoldExists extends Refusal {
  readonly code = 'hold_exists';
  constructor() {
    super('A hold or a transaction with this id exists and has different content. Use a new holdId.');
  }
}

export class HoldEnded extends Refusal {
  readonly code = 'hold_ended';
  constructor() {
    super('The hold has ended: it was captured, released, or its time is over. Place a new hold.');
  }
}

export class HoldExceeded extends Refusal {
  readonly code = 'hold_exceeded';
  constructor() {
    super('The amount is more than what remains of the hold. Capture at most its heldAmount.');
  }
}
