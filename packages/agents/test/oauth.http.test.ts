import '../../../test/support/quiet-oidc-provider.js';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type OAuthClientProvider,
} from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { decodeJwt, exportJWK, generateKeyPair } from 'jose';
import Provider from 'oidc-provider';
import { readConfig } from '../../../src/app/config.js';
import { startTestGateway, type TestGateway } from '../../../test/support/gateway.js';
import { freePort } from '../../../test/deploy/proxy.js';

const CLIENT = 'assistant';
const REDIRECT = 'http://127.0.0.1/callback';
const PERSON = 'maren';
/** The scopes of the tools that read, and the one that marks an agent. */
const READS = 'accounts.read agent cards.read operations.read requests.read statements.read transactions.read';

interface GrantContext {
  readonly oidc: {
    readonly provider: {
      readonly Grant: new (of: object) => {
        addResourceScope(resource: string, scope: string): void;
        save(): Promise<void>;
      };
    };
    readonly client: { readonly clientId: string };
    readonly session: { readonly accountId: string };
    readonly params: { readonly resource: string; readonly scope: string };
  };
}
interface InteractionProvider {
  interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
}

let gateway: TestGateway;
let issuer: Server;
let issuerUrl: string;
let scopesAsked = '';

/** The package `oidc-provider`, at which a person signs in and lets an assistant have what it asks for. */
async function provide(url: string): Promise<(request: IncomingMessage, response: ServerResponse) => void> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const provider = new Provider(url, {
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'first', alg: 'ES256', use: 'sig' }] },
    clients: [
      {
        client_id: CLIENT,
        token_endpoint_auth_method: 'none',
        redirect_uris: [REDIRECT],
        grant_types: ['authorization_code'],
        application_type: 'native',
        id_token_signed_response_alg: 'ES256',
      },
    ],
    cookies: { keys: ['a-secret-of-the-test'] },
    pkce: { required: () => true },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
    loadExistingGrant: async ({ oidc: { provider: own, client, session, params } }: GrantContext) => {
      const grant = new own.Grant({ clientId: client.clientId, accountId: session.accountId });
      scopesAsked = params.scope;
      grant.addResourceScope(params.resource, params.scope);
      await grant.save();
      return grant;
    },
    features: {
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_: unknown, resource: string) => ({
          audience: resource,
          scope: READS,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'ES256' } },
        }),
      },
    },
  });
  const handle = provider.callback();
  return (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void handle(request, response);
    const login = { login: { accountId: PERSON }, consent: {} };
    void (provider as unknown as InteractionProvider).interactionFinished(request, response, login);
  };
}

/** Goes where the assistant sends its person, and gives the address to which the browser comes back. */
async function visit(address: URL): Promise<URL> {
  const jar = new Map<string, string>();
  let at = address;
  for (let steps = 0; at.origin === issuerUrl; steps += 1) {
    if (steps > 10) throw new Error('The issuer sends the browser around.');
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(at, { redirect: 'manual', headers: { cookie } });
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      jar.set(name, value);
    }
    const next = answer.headers.get('location');
    if (next === null) throw new Error(`The issuer goes no further: ${answer.status} ${await answer.text()}`);
    at = new URL(next, at);
  }
  return at;
}

beforeAll(async () => {
  let handle: (request: IncomingMessage, response: ServerResponse) => void = () => undefined;
  issuer = createServer((request, response) => handle(request, response));
  await new Promise<void>(resolve => issuer.listen(0, '127.0.0.1', resolve));
  issuerUrl = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}`;
  handle = await provide(issuerUrl);
  const port = await freePort();
  const { auth } = readConfig({
    AUTH_ISSUER: issuerUrl,
    AUTH_AUDIENCE: `http://127.0.0.1:${port}/mcp`,
    AUTH_JWKS_URL: `${issuerUrl}/jwks`,
    AUTH_CLIENT_PROGRAMS: `{"${CLIENT}":"demo"}`,
    AUTH_PROGRAM_WIDE_CLIENTS: CLIENT,
  });
  gateway = await startTestGateway({ port, auth, environment: { MCP: 'true' } });
});

afterAll(async () => {
  await gateway.stop();
  await new Promise(resolve => issuer.close(resolve));
});

test('an assistant finds the issuer by the metadata, its person signs in there, and it asks to read as an agent', async () => {
  const { account: accountId } = await gateway.given.account({ program: 'demo' });
  let sentTo: URL | undefined;
  let verifier = '';
  let discovered: Awaited<ReturnType<NonNullable<OAuthClientProvider['discoveryState']>>>;
  let tokens: Awaited<ReturnType<OAuthClientProvider['tokens']>>;
  const provider: OAuthClientProvider = {
    redirectUrl: REDIRECT,
    clientMetadata: { redirect_uris: [REDIRECT], client_name: 'Assistant' },
    clientInformation: () => ({ client_id: CLIENT }),
    tokens: () => tokens,
    saveTokens: saved => void (tokens = saved),
    redirectToAuthorization: url => void (sentTo = url),
    saveCodeVerifier: saved => void (verifier = saved),
    codeVerifier: () => verifier,
    saveDiscoveryState: saved => void (discovered = saved),
    discoveryState: () => discovered,
  };
  const transportOf = () =>
    new StreamableHTTPClientTransport(new URL(`${gateway.url}/mcp`), { authProvider: provider });
  const transport = transportOf();
  const clientOf = () => new Client({ name: 'assistant', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  await expect(clientOf().connect(transport)).rejects.toBeInstanceOf(UnauthorizedError);
  expect(sentTo?.searchParams.get('resource')).toBe(`${gateway.url}/mcp`);
  await transport.finishAuth((await visit(sentTo as URL)).searchParams);
  expect(scopesAsked.split(' ').toSorted().join(' ')).toBe(READS);
  expect(decodeJwt(String(tokens?.access_token))).toMatchObject({ aud: `${gateway.url}/mcp`, sub: PERSON });

  const client = clientOf();
  await client.connect(transportOf());
  const read = await client.callTool({ name: 'account_state', arguments: { accountId } });
  expect(read.structuredContent).toMatchObject({ account: { accountId } });
  await client.close();
});
