import { expect, jest, test } from '@jest/globals';
import { tellAddress } from '../../src/app/tell-address.js';
import { createLogger } from '../../src/platform/logging/logger.js';

test.each([
  ['in development', { production: false, port: 4000 }, ['http://127.0.0.1:4000']],
  ['in production with a port, in the log alone', { production: true, port: 4000 }, ['serving']],
  [
    'in production with a picked port, also by itself',
    { production: true, port: 0 },
    ['http://127.0.0.1:4000', 'serving'],
  ],
])('the address is told %s', (_when, config, told) => {
  const lines: string[] = [];
  jest.spyOn(process.stdout, 'write').mockImplementation(line => lines.push(String(line)) > 0);
  const logger = createLogger({ level: 'info', destination: { write: line => lines.push(line) } });
  tellAddress('http://127.0.0.1:4000', config, logger);
  expect(lines.map(line => (line.startsWith('{') ? (JSON.parse(line) as { msg: string }).msg : line.trim()))).toEqual(
    told,
  );
});
