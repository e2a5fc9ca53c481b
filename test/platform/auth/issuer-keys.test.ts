import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Unavailable } from '../../../src/shared/errors.js';
import { passSeconds } from '../../support/clock.js';
import { until } from '../../support/until.js';
import { Issuer } from './issuer.js';

let issuer: Issuer;
beforeEach(async () => {
  issuer = await Issuer.start();
});
afterEach(async () => {
  jest.useRealTimers();
  await issuer.goDown();
});

const MINUTE_MS = 60_000;
const passMinutes = (minutes: number) => passSeconds(minutes * 60);

test('while the issuer is away nobody is called a stranger, and callers are let in as soon as it is back', async () => {
  const bearer = issuer.bearer();
  const header = `Bearer ${await issuer.sign()}`;
  await issuer.goDown();
  await expect(bearer.verify(header)).rejects.toBeInstanceOf(Unavailable);
  await issuer.comeUp();
  expect(await bearer.verify(header)).toMatchObject({ program: 'acme' });
});

test('an issuer that answers with an error is away too', async () => {
  const bearer = issuer.bearer();
  const header = `Bearer ${await issuer.sign()}`;
  issuer.status = 500;
  await expect(bearer.verify(header)).rejects.toMatchObject({ kind: 'unavailable', retryAfterSeconds: 1 });
  issuer.status = 200;
  expect(await bearer.verify(header)).toMatchObject({ program: 'acme' });
});

test('keys that were fetched once serve while the issuer is away', async () => {
  const bearer = issuer.bearer();
  await bearer.verify(`Bearer ${await issuer.sign()}`);
  await issuer.goDown();
  expect(await bearer.verify(`Bearer ${await issuer.sign({ sub: 'user-8' })}`)).toMatchObject({ subject: 'user-8' });
});

test('a token of a new key is accepted without a restart, and one of a removed key is not', async () => {
  const bearer = issuer.bearer();
  await bearer.verify(`Bearer ${await issuer.sign()}`);
  const old = await issuer.sign({ sub: 'user-9' });
  await issuer.addKey('key-2');
  issuer.removeKey('key-ES256');
  expect(await bearer.verify(`Bearer ${await issuer.sign({}, { kid: 'key-2' })}`)).toMatchObject({ program: 'acme' });
  await expect(bearer.verify(`Bearer ${old}`)).rejects.toMatchObject({ tokenError: 'invalid_token' });
});

test('a key that the issuer withdraws is forgotten after ten minutes, without making anyone wait', async () => {
  const bearer = issuer.bearer({ cooldownMs: MINUTE_MS });
  await bearer.verify(`Bearer ${await issuer.sign()}`);
  const late = await Promise.all(Array.from({ length: 500 }, () => issuer.sign()));
  const verifyNext = () => bearer.verify(`Bearer ${late.pop()}`);
  issuer.removeKey('key-ES256');
  passMinutes(11);
  expect(await verifyNext()).toMatchObject({ program: 'acme' });
  await until(() => issuer.fetches === 2);
  await issuer.goDown();
  // The answer is read a moment later. A token that was accepted meanwhile is remembered, so each time it is another.
  await until(async () => {
    expect(late.length).toBeGreaterThan(0);
    const refused = await verifyNext().then(
      () => null,
      (error: unknown) => error,
    );
    // The key is gone here, and whether the issuer has it again nobody can say while it is away.
    if (refused) expect(refused).toBeInstanceOf(Unavailable);
    return refused !== null;
  });
});

test('when the issuer stays away for more than an hour, its old keys are not believed any more', async () => {
  const bearer = issuer.bearer();
  await bearer.verify(`Bearer ${await issuer.sign()}`);
  await issuer.goDown();
  passMinutes(59);
  expect(await bearer.verify(`Bearer ${await issuer.sign()}`)).toMatchObject({ program: 'acme' });
  passMinutes(2);
  await expect(bearer.verify(`Bearer ${await issuer.sign()}`)).rejects.toBeInstanceOf(Unavailable);
});

test('a key that is new right after the keys were fetched is looked for at once, and the next one after a minute', async () => {
  const bearer = issuer.bearer({ cooldownMs: MINUTE_MS });
  await bearer.verify(`Bearer ${await issuer.sign()}`);
  await issuer.addKey('key-2');
  expect(await bearer.verify(`Bearer ${await issuer.sign({}, { kid: 'key-2' })}`)).toMatchObject({ program: 'acme' });
  await issuer.addKey('key-3');
  const third = `Bearer ${await issuer.sign({}, { kid: 'key-3' })}`;
  await expect(bearer.verify(third)).rejects.toMatchObject({ tokenError: 'invalid_token' });
  expect(issuer.fetches).toBe(2);
  passMinutes(1);
  expect(await bearer.verify(third)).toMatchObject({ program: 'acme' });
  expect(issuer.fetches).toBe(3);
});

test('made-up key ids do not send the gateway to the issuer again and again', async () => {
  const bearer = issuer.bearer({ cooldownMs: 60_000 });
  for (let attempt = 0; attempt < 20; attempt++) {
    const madeUp = await issuer.sign({}, { header: { kid: `made-up-${attempt}` } });
    await expect(bearer.verify(`Bearer ${madeUp}`)).rejects.toMatchObject({ tokenError: 'invalid_token' });
  }
  // The first one comes when no keys are there, and the second is looked for.
  expect(issuer.fetches).toBe(2);
});

test('nor while the issuer is away: it is asked once a minute, and nobody is called a stranger meanwhile', async () => {
  const bearer = issuer.bearer({ cooldownMs: MINUTE_MS });
  await bearer.verify(`Bearer ${await issuer.sign()}`);
  const madeUp = await Promise.all(
    Array.from({ length: 20 }, (_, n) => issuer.sign({}, { header: { kid: `made-up-${n}` } })),
  );
  issuer.status = 500;
  passMinutes(2);
  for (const token of madeUp) await expect(bearer.verify(`Bearer ${token}`)).rejects.toBeInstanceOf(Unavailable);
  expect(issuer.fetches).toBe(2);
  expect(await bearer.verify(`Bearer ${await issuer.sign({ sub: 'user-8' })}`)).toMatchObject({ subject: 'user-8' });
  issuer.status = 200;
  passMinutes(2);
  await expect(bearer.verify(`Bearer ${madeUp[0]}`)).rejects.toMatchObject({ tokenError: 'invalid_token' });
  expect(issuer.fetches).toBe(3);
});

test('callers who come at once share one fetch of the keys', async () => {
  const bearer = issuer.bearer();
  const tokens = await Promise.all(Array.from({ length: 20 }, () => issuer.sign()));
  await Promise.all(tokens.map(token => bearer.verify(`Bearer ${token}`)));
  expect(issuer.fetches).toBe(1);
});
