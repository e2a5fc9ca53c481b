import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { leastBeneficiary } from '../support/given.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { until } from '../support/until.js';
import type * as Inside from './statement-texts.inside.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({});
  await statements().watch();
});
afterAll(() => gateway.stop());

const statements = () => gateway.module<typeof Inside>('test/security/statement-texts');
/** The texts of all statements since the last call of `forget`. */
const texts = async () => (await statements().texts()).join();

/** The number of a card, which somebody sends for something else. */
const NUMBER = '5555555555554444';

// A server logs the texts of statements that fail or take long, and shows them to whoever may see its activity.
test.each(['Wexelblatt', NUMBER])('a search for %s is in no text of a statement', async text => {
  const { caller } = await gateway.given.account();
  const { errors } = await gateway
    .as(caller)
    .graphql('query ($text: String!) { search(text: $text) { label } }', { text });
  expect(errors).toBeUndefined();
  expect(await texts()).toContain('customer');
  expect(await texts()).not.toContain(text);
});

test('what is sent for the id of an account is in no text of a statement, also where the attempt is on record', async () => {
  const { caller, program, owners } = await gateway.given.account();
  const customer = await gateway.caller({ program, customerId: owners[0] as string });
  await statements().forget();
  for (const token of [caller, customer]) {
    const { status } = await gateway.as(token).rest.post(`/accounts/${NUMBER}/beneficiaries`, leastBeneficiary());
    expect(status).toBe(404);
  }
  await until(async () => /from "account"/i.test(await texts()));
  expect(await texts()).not.toContain(NUMBER);
});

test('what deliveries of webhooks are filtered by is in no text of a statement', async () => {
  const { caller } = await gateway.given.account();
  const me = gateway.as(caller);
  const { headers } = await me.rest.post('/webhook-endpoints', { url: 'https://bank.example/hooks' });
  const id = (headers.location as string).split('/').at(-1);
  const { data, errors } = await me.graphql(
    'query ($id: ID!, $filter: WebhookDeliveryFilter) { webhookEndpoint(endpointId: $id) { deliveries(filter: $filter) { totalCount nodes { deliveryId } } } }',
    { id, filter: { accountId: NUMBER, types: ['transaction.posted'] } },
  );
  expect(errors).toBeUndefined();
  expect(data.webhookEndpoint.deliveries).toEqual({ totalCount: 0, nodes: [] });
  expect(await texts()).not.toContain(NUMBER);
});
