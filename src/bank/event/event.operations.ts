import { operation } from '../../shared/operation.js';

export const READ_EVENTS = operation('event.read', { scope: 'operations.read' });

/** The action of the event of a program that an account of it was deleted, with its events, when its time was over. */
export const END_ACCOUNT = 'account.end';

/** The cursor of the moment, with which each subscription can begin. */
export const READ_FEED_CURSOR = operation('event.read_cursor', { scope: 'accounts.read' });
