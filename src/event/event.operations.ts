import { operation } from '../shared/operation.js';

export const READ_EVENTS = operation('event.read', { scope: 'operations.read' });

/** The cursor of the moment, with which each subscription can begin. */
export const READ_FEED_CURSOR = operation('event.read_cursor', { scope: 'accounts.read' });
