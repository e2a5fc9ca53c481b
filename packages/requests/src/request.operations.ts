import { operation } from 'tillgate/noun';

/** Operators read the log of their program by `operations.read`, which includes this scope. */
export const READ_REQUESTS = operation('api_request.read', { scope: 'requests.read' });
