import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { readConfig } from '../../../src/app/config.js';
import { passSecondsWith, realTimeWith } from '../../support/clock.js';
import { startTestGateway, type TestGateway } from '../../support/gateway.js';
import { RealIssuer } from './real-issuer.js';

const AUDIENCE = 'https://tillgate.bank.example';

let issuer: RealIssuer;
let gateway: TestGateway;
let path: string;
beforeEach(async () => {
  issuer = await RealIssuer.start(AUDIENCE);
  const { auth } = readConfig({
    AUTH_ISSUER: issuer.url,
    AUTH_AUDIENCE: AUDIENCE,
    AUTH_JWKS_URL: `${issuer.url}/jwks`,
    AUTH_CLIENT_PROGRAMS: '{"backend":"demo"}',
    AUTH_PROGRAM_WIDE_CLIENTS: 'backend',
  });
  gateway = await startTestGateway({ auth });
  const { account } = await gateway.given.account({ program: 'demo' });
  path = `/accounts/${account}/transactions`;
});
afterEach(async () => {
  await realTimeWith(gateway);
  await gateway.stop();
  await issuer.goDown();
});

/** What REST and GraphQL answer to the holder of a token who asks for an account of the program. */
async function statuses(token: string): Promise<number[]> {
  const client = gateway.as(token);
  return [(await client.rest.get(path)).status, (await client.graphql('{ __typename }')).status];
}

/** Tokens of a key id that nobody has, each with another one. */
function madeUp(token: string, count: number): string[] {
  const [header = '', ...rest] = token.split('.');
  const fields = JSON.parse(Buffer.from(header, 'base64url').toString()) as object;
  return Array.from({ length: count }, (_, n) => {
    const other = Buffer.from(JSON.stringify({ ...fields, kid: `made-up-${n}` })).toString('base64url');
    return [other, ...rest].join('.');
  });
}

test('a client of an authorization server that nobody here wrote is let in, and a client without a program is not', async () => {
  expect(await statuses(await issuer.token('backend'))).toEqual([200, 200]);
  expect(await statuses(await issuer.token('stranger'))).toEqual([401, 401]);
  expect(gateway.log.join()).toContain(
    'The token has no claim program, and AUTH_CLIENT_PROGRAMS does not name its client.',
  );
  expect(issuer.fetches).toBe(1);
});

test('keys change while the gateway serves: the new one is found, the old one is gone, and made-up ones are not looked for', async () => {
  const [old, unseen] = [await issuer.token(), await issuer.token()];
  expect(await statuses(old)).toEqual([200, 200]);
  await issuer.useKey('second', 'ES256');
  const renewed = await issuer.token();
  expect(await statuses(renewed)).toEqual([200, 200]);
  expect(issuer.fetches).toBe(2);
  expect(await statuses(unseen)).toEqual([401, 401]);
  for (const token of madeUp(renewed, 20)) expect(await statuses(token)).toEqual([401, 401]);
  expect(issuer.fetches).toBe(2);

  await issuer.useKey('third', 'EdDSA');
  const third = await issuer.token();
  await passSecondsWith(gateway, 61);
  const together = await Promise.all(Array.from({ length: 10 }, () => statuses(third)));
  expect(new Set(together.flat())).toEqual(new Set([200]));
  expect(issuer.fetches).toBe(3);
});

test('while the issuer is away its keys serve for an hour, unknown ones are 503, and it is asked anew when it is back', async () => {
  const tokens = await Promise.all(Array.from({ length: 4 }, () => issuer.token()));
  const next = () => tokens.pop() as string;
  expect(await statuses(next())).toEqual([200, 200]);
  const [unknown = ''] = madeUp(next(), 1);
  await issuer.goDown();
  await passSecondsWith(gateway, 59 * 60);
  expect(await statuses(next())).toEqual([200, 200]);
  expect(await statuses(unknown)).toEqual([503, 503]);
  await passSecondsWith(gateway, 2 * 60);
  const late = next();
  expect(await statuses(late)).toEqual([503, 503]);
  await issuer.comeUp();
  await passSecondsWith(gateway, 61);
  expect(await statuses(late)).toEqual([200, 200]);
  expect(await statuses(unknown)).toEqual([401, 401]);
});
