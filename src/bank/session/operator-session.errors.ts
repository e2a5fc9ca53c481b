import { Refusal } from '../../shared/errors.js';

export class OperatorSessionNotFound extends Refusal {
  readonly code = 'operator_session_not_found';
  constructor() {
    super('Nobody of the program is signed in with this session: it may have ended already.');
  }
}
