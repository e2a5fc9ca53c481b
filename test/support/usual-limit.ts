import { jest } from '@jest/globals';

// A test of `npm test` takes seconds. On a machine with other work it may take a minute.
jest.setTimeout(180_000);
