import type { Writer } from './writer.js';

interface DeliveryIds {
  readonly endpointId: string;
  readonly deliveryId: string;
}

const INPUT = { url: 'https://hooks.canary.example/tillgate', description: 'Core ledger', types: ['card.frozen'] };
const TYPE = 'card.frozen';

/**
 * The writes on webhook endpoints and on revocations of tokens, over REST and GraphQL. They take no personal data, so
 * they have no canaries.
 */
export async function writeWebhooks(writer: Writer): Promise<void> {
  await overRest(writer);
  await overGraphql(writer);
}

async function overRest(writer: Writer): Promise<void> {
  const post = (path: string, body?: object) => writer.once<DeliveryIds>({ method: 'POST', path, body });
  const { endpointId } = await post('/webhook-endpoints', INPUT);
  const path = `/webhook-endpoints/${endpointId}`;
  await writer.once({ method: 'PATCH', path, body: { description: 'Ledger' } });
  await post(`${path}/rotate-secret`);
  const { deliveryId } = await post(`${path}/test`, { type: TYPE });
  await post(`/webhook-deliveries/${deliveryId}/resend`);
  await post(`${path}/recover`, { since: new Date().toISOString() });
  await writer.once({ method: 'DELETE', path });
  await post('/token-revocations', { kind: 'CLIENT', value: 'a-client-of-nobody' });
}

async function overGraphql(writer: Writer): Promise<void> {
  const write = async (types: string, field: string, selection: string, variables: object): Promise<DeliveryIds> => {
    const query = `mutation (${types}) { write: ${field} { ${selection} } }`;
    const { data } = await writer.once<{ data: { write: { endpoint?: DeliveryIds; delivery?: DeliveryIds } } }>({
      method: 'POST',
      path: '/graphql',
      body: {
        query,
        variables,
      },
    });
    return data.write.endpoint ?? (data.write.delivery as DeliveryIds);
  };
  const secret = 'endpoint { endpointId }';
  const types = '$input: WebhookEndpointInput!';
  const { endpointId: id } = await write(types, 'createWebhookEndpoint(input: { endpoint: $input })', secret, {
    input: INPUT,
  });
  const of = (field: string, selection: string) =>
    write('$id: ID!', field.replace('{', '{ endpointId: $id,'), selection, { id });
  await of('updateWebhookEndpoint(input: { patch: { description: "Ledger" } })', secret);
  await of('rotateWebhookSecret(input: { })', secret);
  const { deliveryId } = await of(`sendTestEvent(input: { type: "${TYPE}" })`, 'delivery { deliveryId }');
  const resend = 'resendWebhookDelivery(input: { deliveryId: $id })';
  await write('$id: ID!', resend, 'delivery { deliveryId }', { id: deliveryId });
  await of(`recoverWebhookEndpoint(input: { since: "${new Date().toISOString()}" })`, secret);
  await of('deleteWebhookEndpoint(input: { })', secret);
  const revoked = { input: { kind: 'SUBJECT', value: 'a-subject-of-nobody' } };
  await write('$input: RevokeTokensInput!', 'revokeTokens(input: $input)', 'revocation { revocationId }', revoked);
}
