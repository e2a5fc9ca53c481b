import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  getNamedType,
  isInterfaceType,
  isNonNullType,
  isObjectType,
  type GraphQLNamedType,
  type GraphQLObjectType,
} from 'graphql';
import { counted } from '../../../packages/overview/test/overview.js';
import { SCOPES } from '../../../src/shared/caller.js';
import { HoldClient } from '../../hold/support/holds.js';
import { make, transferOf } from '../../transfer/support/transfers.js';
import { newCard } from '../../support/card.js';
import { issue, post } from '../../statement/issue/issuing.js';
import { keyed, startTestGateway, unique } from '../../support/gateway.js';
import { servedSchema } from '../../support/served.js';

const gateway = await startTestGateway();
const { program } = gateway;
const schema = await servedSchema(gateway, { hasSandbox: false });

let accountId: string;
beforeAll(async () => {
  await gateway.given.programRecord(program, { approvals: { changingOwners: true } });
  const of = await gateway.given.account({ program });
  accountId = of.account;
  const { rest } = gateway.as(of.caller);
  await gateway.given.beneficiary({ of });
  await rest.post('/cards/v1/cards', newCard(of.account, of.owners[0] as string));
  await post(gateway, of, [{ at: '2024-03-05', amount: '1000.00' }]);
  await issue(gateway, 'close', '2024-03', program);
  // The newest runs leave out an account each.
  const { customer } = await gateway.given.customer({ program, addresses: [] });
  const leftOut = await gateway.given.account({ program, owners: [customer] });
  for (const year of ['2018', '2019', '2020']) {
    await post(gateway, leftOut, [{ at: `${year}-03-05`, amount: '10.00', type: 'INTEREST' }]);
    await issue(gateway, '1099', year, program);
  }
  await gateway.given.taxFiling(program);
  await new HoldClient(gateway, of).placed();
  await make(gateway, 'REST', of.caller, transferOf({ from: of, to: leftOut }));
  const body = { url: 'https://hooks.fields.example/tillgate' };
  const { endpointId } = (await rest.post('/webhook-endpoints', body)).body;
  await rest.post(`/webhook-endpoints/${endpointId}/test`, { type: 'card.frozen' });
  await rest.post('/token-revocations', { kind: 'CLIENT', value: 'a-client-of-nobody' });
  await gateway.signIn(program);
  const holders = [{ customerId: customer }];
  await rest.post(`/accounts/${accountId}/owners/add`, { holders }, keyed(unique('key')));
  await counted(gateway, program);
});
afterAll(() => gateway.stop());

/** More often than it takes for a query to be compiled. */
const TIMES = 5;

const fieldsOf = (type: GraphQLObjectType) => Object.values(type.getFields());
const asksForNothing = ({ args }: { args: readonly { type: unknown; defaultValue?: unknown }[] }) =>
  args.every(arg => !isNonNullType(arg.type) || arg.defaultValue !== undefined);

/** A selection of all there is below a type, each type once on the way down. */
/** The time of an overview is another one for each request. */
const OF_THE_MOMENT = 'asOf';

function everythingOf(type: GraphQLObjectType, above: readonly GraphQLObjectType[] = []): string {
  const fields = fieldsOf(type).filter(field => asksForNothing(field) && field.name !== OF_THE_MOMENT);
  const selected = fields.map(({ name, type: fieldType }) => {
    const named = getNamedType(fieldType);
    if (isInterfaceType(named)) return `${name} { id }`;
    if (!isObjectType(named)) return name;
    return above.includes(named) || named === type ? '' : `${name} ${everythingOf(named, [...above, type])}`;
  });
  return `{ ${selected.join(' ')} }`;
}

const everythingBelow = (type: GraphQLNamedType): string => (isObjectType(type) ? everythingOf(type, [account]) : '');
/** Where the first of a list have too little. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  statementRuns: '(first: 3, filter: { documentType: TAX_1099 })',
};
const account = schema.getType('Account') as GraphQLObjectType;
const partsOfAccount = fieldsOf(account)
  .filter(asksForNothing)
  .map(({ name, type }): [string, string] => {
    const named = getNamedType(type);
    return [
      name,
      `account(accountId: "ACCOUNT") { ${name} ${isObjectType(named) ? everythingOf(named, [account]) : ''} }`,
    ];
  });
const queries = fieldsOf(schema.getQueryType() as GraphQLObjectType)
  .filter(asksForNothing)
  .map(({ name, type, args }): [string, string] => [
    name,
    `${name}${ARGUMENTS[name] ?? (args.length > 0 ? '(first: 3)' : '')} ${everythingBelow(getNamedType(type))}`,
  ]);

test.each([...partsOfAccount, ...queries])('%s has every field alike, compiled or not', async (_name, selection) => {
  const caller = gateway.as(await gateway.caller({ scopes: SCOPES }));
  const answers: unknown[] = [];
  for (let time = 0; time < TIMES; time++) {
    await gateway.compiled();
    const { status, data, errors } = await caller.graphql(`{ ${selection.replace('ACCOUNT', accountId)} }`);
    answers.push({ status, data, errors });
  }
  expect(answers[0]).toMatchObject({ status: 200, errors: undefined });
  expect(JSON.stringify(answers[0])).not.toMatch(/"(edges|cards)":\[\]/);
  expect(answers).toEqual(Array.from({ length: TIMES }, () => answers[0]));
});
