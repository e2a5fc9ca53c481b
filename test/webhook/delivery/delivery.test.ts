import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { readManifest } from '../../../src/platform/manifest.js';
import { Site } from './site.js';

let site: Site;
beforeAll(async () => {
  site = await Site.start();
});
afterAll(() => site.stop());

test('an event comes as Standard Webhooks says, and its receiver can verify it', async () => {
  const receiver = await site.receiver();
  const { endpointId, program, secret } = await site.endpoint(receiver.url);
  const [id] = await site.events(program, ['acc-1']);
  await site.settled(endpointId, 1);
  const [received] = receiver.received;
  expect(received?.headers).toMatchObject({
    ...{ 'content-type': 'application/json', 'user-agent': `Tillgate/${readManifest().version}` },
    ...{ 'webhook-id': `evt_${id}`, 'webhook-timestamp': expect.stringMatching(/^\d{10}$/) },
  });
  expect(new Webhook(secret).verify(received?.body ?? '', received?.headers as Record<string, string>)).toMatchObject({
    type: 'card.frozen',
    timestamp: expect.stringMatching(/^\d{4}-.+Z$/),
    data: { accountId: 'acc-1', cardId: 'card-1' },
  });
});
