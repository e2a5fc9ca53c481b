import { operation } from 'tillgate/noun';

export const READ_OVERVIEW = operation('overview.read', { scope: 'operations.read' });
