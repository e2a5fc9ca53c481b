import { expect, test } from '@jest/globals';
import { createLogger, type LoggerOptions } from '../../../src/platform/logging/logger.js';

function open(level: LoggerOptions['level'] = 'info') {
  const lines: string[] = [];
  const logger = createLogger({ level, destination: { write: line => void lines.push(line) } });
  const read = () => lines.map(line => JSON.parse(line) as Record<string, unknown>);
  return { logger, lines, read };
}

test('a line is one JSON object with a level, a time and what was said', () => {
  const { logger, lines, read } = open();
  logger.info({ requestId: 'r-1', status: 200 }, 'answered in %d ms', 5);
  expect(lines[0]).toMatch(/^\{.*\}\n$/);
  expect(read()).toEqual([
    {
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      requestId: 'r-1',
      status: 200,
      msg: 'answered in 5 ms',
    },
  ]);
});

test('lines below the level are not written, and a silent logger writes none', () => {
  const { logger, lines } = open('warn');
  logger.info('quiet');
  logger.warn('heard');
  expect(lines).toHaveLength(1);
  const silent = open('silent');
  silent.logger.fatal('nothing');
  expect(silent.lines).toHaveLength(0);
});

test('no way to say it lets a secret through', () => {
  const { logger, lines } = open('trace');
  const card = '4111 1111 1111 1111';
  const mail = 'ann@bank.example';
  logger.info(`card ${card} of ${mail}`);
  logger.info('card %s of %s', card, mail);
  logger.info('card %s %s', '4111 1111', '1111 1111');
  logger.info('%o %j', { pin: '7391' }, { cvv: '7391' });
  logger.info({ msg: card, deep: { er: [{ taxId: '7391' }] } });
  logger.info({ authorization: '7391' }, mail);
  logger.info([card, mail]);
  logger.error(new Error(`no ${card}`, { cause: new Error(mail) }));
  logger.error({ err: new Error(mail), error: new Error(card) }, mail);
  logger.error(Object.assign(new Error(mail), { detail: card }), 'failed for %s', mail);
  logger.info({ [mail]: 1 });
  logger.child({ email: '7391', note: mail }).info('child');
  logger.child({ a: 1 }).child({ note: card }, { level: 'debug' }).debug({ token: '7391' }, card);
  const bound = logger.child({});
  bound.setBindings({ note: mail, pin: '7391' });
  bound.info('bound');
  expect(lines).toHaveLength(14);
  expect(lines.join('')).not.toMatch(/4111|1111 1111|ann@|7391/);
});

test("an error has its type, message and stack under err, and its message is the line's when there is no other", () => {
  const { logger, read } = open();
  logger.error(new TypeError('broken'));
  logger.error({ err: new TypeError('broken') });
  logger.error({ err: new TypeError('broken'), requestId: 'r-1' }, 'The request failed.');
  const err = { type: 'TypeError', message: 'broken', stack: expect.stringMatching(/^TypeError: broken\n +at /) };
  expect(read()).toMatchObject([
    { err, msg: 'broken' },
    { err, msg: 'broken' },
    { err, requestId: 'r-1', msg: 'The request failed.' },
  ]);
});

test('fields and prefixes of children come with their lines', () => {
  const { logger, read } = open();
  logger.child({ requestId: 'r-1' }, { msgPrefix: '[import] ' }).child({ program: 'acme' }).info('done');
  logger.child({ requestId: 'r-2' }).error(new Error('broken'));
  expect(read()).toMatchObject([
    { requestId: 'r-1', program: 'acme', msg: '[import] done' },
    { requestId: 'r-2', msg: 'broken', err: { type: 'Error' } },
  ]);
});

test('odd things to say are written as well', () => {
  const { logger, lines, read } = open();
  logger.info(undefined as unknown as string);
  logger.info(null as unknown as string);
  logger.info({});
  logger.info(new Date(0) as unknown as string);
  logger.info(
    new Proxy(
      {},
      {
        get() {
          throw new Error('unreadable');
        },
      },
    ),
  );
  logger.info('100% %s');
  expect(lines).toHaveLength(6);
  expect(read()[5]).toMatchObject({ msg: '100% %s' });
});
