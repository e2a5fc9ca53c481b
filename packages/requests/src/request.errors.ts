import { refusalsOf } from 'tillgate/noun';

/** Codes about the log of requests. */
export const REQUEST_PROBLEMS = {
  request_not_found: [
    'not_found',
    'The log has no such request, or the caller may not see it.',
    'Check the request id. The log keeps writes and refused requests for some days: see `REQUEST_LOG`.',
  ],
} as const;

const OwnRefusal = refusalsOf(REQUEST_PROBLEMS);

export class ApiRequestNotFound extends OwnRefusal {
  readonly code = 'request_not_found';
  constructor() {
    super('The log has no such request. Check the request id.');
  }
}
