import { expect, test } from '@jest/globals';
import { startTestGateway } from '../../../test/support/gateway.js';
import { emptyDatabase } from '../../../test/support/postgres.js';
import { TestAgent } from './agents.js';

test('the tools about packages that are not served are left out, each package with its name in the log', async () => {
  const database = await emptyDatabase();
  const changes = { databaseUrl: database.url, environment: { MCP: 'true' } };
  const gateway = await startTestGateway(changes, undefined, 'packages/agents/test/without-packages');
  const agent = await TestAgent.connect(gateway, await gateway.caller());
  const { tools } = await agent.client.listTools();
  const names = tools.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['account_state', 'document_runs', 'freeze_card']));
  expect(names.filter(name => /refusal|tax|webhook/.test(name))).toEqual([]);
  const log = (await gateway.logged()).join('');
  for (const name of ['requests', 'us-tax-forms', 'webhooks']) {
    expect(log).toContain(`"package":"${name}","msg":"the tools about a package are left out, since it is not served"`);
  }
  await agent.close();
  await gateway.stop();
  await database.drop();
});
