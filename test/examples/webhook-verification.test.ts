import { beforeAll, expect, test } from '@jest/globals';
import { newKeyPair, newSecret } from '../../lib/standard-webhooks/standard-webhooks.js';
import { EVENT, FALSE_KEYS, FALSE_REQUESTS, signedRequest } from '../support/webhook-requests.js';

/** `examples/webhooks/verify.js`, which is JavaScript without types. */
interface Verification {
  readKey(text: string): Promise<object>;
  verify(headers: object, body: Buffer, key: object): Promise<object>;
}

let readKey: Verification['readKey'];
let verify: Verification['verify'];
beforeAll(async () => {
  const program: string = new URL('../../examples/webhooks/verify.js', import.meta.url).href;
  ({ readKey, verify } = (await import(program)) as Verification);
});

const pair = newKeyPair();
const secret = newSecret();
const keys = [
  ['a secret', secret, secret],
  ['a pair of keys', pair.secretKey, pair.publicKey],
] as const;

test.each(keys)(
  'verify.js believes what is signed with %s, also while it is replaced',
  async (_what, signing, verifying) => {
    const { headers, body } = signedRequest([newSecret(), newKeyPair().secretKey, signing]);
    expect(await verify(headers, body, await readKey(verifying))).toEqual(EVENT);
  },
);

test.each(keys)('verify.js believes nothing else of what comes for %s', async (_what, signing, verifying) => {
  const key = await readKey(verifying);
  const believed: string[] = [];
  for (const [what, make] of FALSE_REQUESTS) {
    const { headers, body } = make(signing);
    const answer = await verify(headers, body, key).then(
      () => true,
      () => false,
    );
    if (answer) believed.push(what);
  }
  expect(believed).toEqual([]);
});

test.each(FALSE_KEYS)('verify.js takes no key that is none: %j', async text => {
  await expect(readKey(text)).rejects.toThrow(/^The key must be whsec_/);
});
