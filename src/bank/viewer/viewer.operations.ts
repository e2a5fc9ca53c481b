import { operation } from '../../shared/operation.js';

/** Every token may ask for whom it speaks. */
export const READ_VIEWER = operation('viewer.read', { scope: [] });
