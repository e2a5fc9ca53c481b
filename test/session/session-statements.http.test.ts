import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ConsoleSession } from '../../src/bank/session/session.entity.js';
import { ROLES } from '../../src/bank/session/session.roles.js';
import { SessionService } from '../../src/bank/session/session.service.js';
import { KeyRing } from '../../src/platform/crypto/key-ring.js';
import { openDatabase, type Database } from '../../src/platform/database/orm.js';
import { SignInRequired } from '../../src/shared/errors.js';
import { freshDatabase, type FreshDatabase } from '../support/postgres.js';
import { textsOf } from '../support/statement-texts.js';

let fresh: FreshDatabase;
let database: Database;
beforeAll(async () => {
  fresh = await freshDatabase();
  database = await openDatabase({
    url: fresh.url,
    poolSize: 2,
    entities: [ConsoleSession],
    applicationName: 'tillgate-test',
  });
});
afterAll(async () => {
  await database.close();
  await fresh.drop();
});

test('what is personal or secret of a session is in no text of a statement, which servers may log', async () => {
  const texts = textsOf(database.pool);
  const sessions = new SessionService(database, KeyRing.parse(KeyRing.generate()));
  const person = {
    program: 'harbour',
    subject: 'ada@bank.example',
    roles: ROLES,
    name: 'Ada Lovelace',
    idToken: 'id-token-of-ada',
    refreshToken: 'refresh-token-of-ada',
    accessToken: null,
    personId: 'person-of-ada',
  };
  const { secret } = await sessions.begin(person, 'oidc', 'request-1');
  expect(await sessions.use(secret)).toMatchObject({ subject: person.subject, name: person.name });
  expect(await sessions.list(person.program)).toHaveLength(1);
  expect(await sessions.endOf(person.subject, person.program)).toBe(1);
  await expect(sessions.find(secret)).rejects.toThrow(SignInRequired);

  const all = texts.join('\n');
  expect(all).toContain('console_session');
  const { subject, name, idToken, refreshToken, personId } = person;
  const hash = createHash('sha256').update(secret).digest('hex');
  for (const value of [subject, name, idToken, refreshToken, personId, secret, hash]) expect(all).not.toContain(value);
});
