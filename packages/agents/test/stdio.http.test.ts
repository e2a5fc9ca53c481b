import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { run } from '../../../test/cli/command-line.js';
import { startTestGateway, type TestGateway } from '../../../test/support/gateway.js';

let gateway: TestGateway;
let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tillgate-stdio-'));
  gateway = await startTestGateway({ dataDir, environment: { MCP: 'true' } });
});
afterAll(async () => {
  await gateway.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const OLD = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };

test('an assistant on the machine speaks by standard input and output, in the new revision and in older ones', async () => {
  const { program, account: accountId } = await gateway.given.account();
  const call = { name: 'account_state', arguments: { accountId } };
  const messages = [
    { jsonrpc: '2.0', id: 1, method: 'initialize', params: OLD },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 2, method: 'tools/call', params: call },
    { jsonrpc: '2.0', id: 'three', method: 'tools/call', params: { ...call, _meta: META } },
  ];
  const input = [...messages.map(message => JSON.stringify(message)), 'no JSON', ''].join('\n');
  const args = ['mcp', '--program', program, '--url', gateway.url];
  const { status, stdout, stderr } = await run(args, { DATA_DIR: dataDir }, { input });
  expect([status, stderr]).toEqual([0, '']);
  const result = { structuredContent: { account: { accountId } } };
  expect(
    stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as object),
  ).toMatchObject([
    { id: 1, result: { protocolVersion: '2025-06-18', serverInfo: { name: 'tillgate' } } },
    { id: 2, result },
    { id: 'three', result },
    { id: null, error: { code: -32_700, message: 'The line must be one message as JSON.' } },
  ]);
});

test('an assistant is told where no gateway answers', async () => {
  const input = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })}\n`;
  const { status, stdout } = await run(
    ['mcp', '--program', 'demo', '--url', 'http://127.0.0.1:9'],
    { DATA_DIR: dataDir },
    { input },
  );
  expect([status, JSON.parse(stdout)]).toMatchObject([
    0,
    { id: 1, error: { message: expect.stringContaining('Start it with MCP=true') } },
  ]);
});
