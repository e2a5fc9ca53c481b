import type { JWTPayload } from 'jose';
import type * as openid from 'openid-client';
import { CLOCK_TOLERANCE_SECONDS } from '../../platform/auth/token-profile.js';
import type { KeyRing } from '../../platform/crypto/key-ring.js';
import type { ProviderSettings } from './console.settings.js';
import { SignInFailed } from './oidc.errors.js';
import { hasName, hasPerson, isDecisive, personOf, type GroupsOfProgram } from './oidc.person.js';
import type { Person } from './session.service.js';

const TIMEOUT_SECONDS = 5;
/** The time after which the provider's description of itself is read again. */
const KNOWN_MS = 60 * 60_000;
/** The time that a person may take at the provider. */
export const SIGN_IN_MINUTES = 10;
const SEAL = 'console/sign-in';
/** An error code of OAuth, as far as it may be logged. */
const CODE = /^[A-Za-z_]{1,60}$/;

/** The state that the browser keeps, sealed, while its user is at the provider. */
interface PendingSignIn {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** The path of the console to go on to. */
  readonly to: string;
  readonly untilMs: number;
}

interface ProviderConnection {
  readonly client: typeof openid;
  readonly configuration: openid.Configuration;
}

/** Signs people in at the OpenID provider of the bank: authorization code with PKCE (OpenID Connect Core, 3.1). */
export class OidcProvider {
  private connection: { readonly connected: Promise<ProviderConnection>; readonly untilMs: number } | null = null;

  constructor(
    private readonly settings: ProviderSettings,
    private readonly keys: KeyRing,
    private readonly groupsOf: GroupsOfProgram,
  ) {}

  /** Where the browser goes, and what it keeps meanwhile. Throws `SignInFailed`. */
  async begin(to: string): Promise<{ readonly address: string; readonly kept: string }> {
    const { client, configuration } = await this.connect();
    // The state binds the way back to this browser, the nonce the ID token to this sign-in, and the verifier (PKCE) the
    // code to this gateway.
    const [state, nonce, verifier] = [client.randomState(), client.randomNonce(), client.randomPKCECodeVerifier()];
    const address = client.buildAuthorizationUrl(configuration, {
      redirect_uri: this.callback,
      scope: this.settings.scope,
      state,
      nonce,
      code_challenge_method: 'S256',
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
    });
    const begun: PendingSignIn = { state, nonce, verifier, to, untilMs: Date.now() + SIGN_IN_MINUTES * 60_000 };
    return { address: address.href, kept: this.keys.seal(SEAL, begun).toString('base64url') };
  }

  /**
   * Finishes a sign-in: returns the person who came back from the provider, and where to go on to. Throws
   * `SignInFailed`.
   */
  async finish(search: string, sealed: string | null): Promise<{ readonly person: Person; readonly to: string }> {
    const begun = sealed === null ? null : this.opened(sealed);
    if (!begun || begun.untilMs <= Date.now()) {
      throw new SignInFailed('expired', 'The sign-in was not begun by this browser, or too long ago.');
    }
    const connected = await this.connect();
    const { client, configuration } = connected;
    const { state, nonce, verifier, to } = begun;
    try {
      const tokens = await client.authorizationCodeGrant(configuration, new URL(`${this.callback}${search}`), {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (!claims || !tokens.id_token) throw new SignInFailed('refused', 'The provider sent no ID token.');
      const all = await this.completed(connected, tokens.access_token, claims);
      return { person: await personOf(all, this.settings, this.groupsOf, tokensOf(tokens, tokens.id_token)), to };
    } catch (error) {
      throw failureOf(error, client);
    }
  }

  /**
   * The person as the provider describes them now, by the refresh token, or by the access token at the userinfo
   * endpoint. 'gone': it says nothing of them any more, or gave nothing to ask with.
   */
  async ask({ subject, idToken, refreshToken, accessToken }: Person): Promise<Person | 'gone' | 'away'> {
    try {
      const connected = await this.connect();
      const { client, configuration } = connected;
      try {
        if (refreshToken) {
          const tokens = await client.refreshTokenGrant(configuration, refreshToken);
          const claims = tokens.claims();
          const all = claims
            ? await this.completed(connected, tokens.access_token, claims)
            : await userInfoOf(connected, tokens.access_token, subject);
          // A provider that does not rotate it leaves the one that there is.
          const tokensNow = { refresh_token: refreshToken, ...tokens };
          return await personOf(all, this.settings, this.groupsOf, tokensOf(tokensNow, tokens.id_token ?? idToken));
        }
        if (!accessToken) return 'gone';
        const all = await userInfoOf(connected, accessToken, subject);
        return await personOf(all, this.settings, this.groupsOf, { idToken, refreshToken: null, accessToken });
      } catch (error) {
        throw failureOf(error, client);
      }
    } catch (error) {
      if (error instanceof SignInFailed) return error.failure === 'unavailable' ? 'away' : 'gone';
      throw error;
    }
  }

  /**
   * Where the browser goes to sign out at the provider, too. Null if the provider has no such place or is away: its
   * failure must not keep anybody signed in here.
   */
  async signOutAddress(idToken: string): Promise<string | null> {
    try {
      const { client, configuration } = await this.connect();
      if (configuration.serverMetadata().end_session_endpoint === undefined) return null;
      const parameters = { id_token_hint: idToken, post_logout_redirect_uri: this.settings.url };
      return client.buildEndSessionUrl(configuration, parameters).href;
    } catch (error) {
      if (error instanceof SignInFailed) return null;
      throw error;
    }
  }

  /**
   * The claims of an ID token, with what it leaves to the userinfo endpoint (OpenID Connect Core, 5.4): the name, and
   * with some providers the program, the roles and what tells the person. A person whose name alone is missing gets in
   * without it.
   */
  private async completed(
    connected: ProviderConnection,
    accessToken: string,
    claims: openid.IDToken,
  ): Promise<JWTPayload> {
    const decides = isDecisive(claims, this.settings);
    if (decides && hasName(claims) && hasPerson(claims, this.settings)) return claims;
    try {
      return { ...(await userInfoOf(connected, accessToken, claims.sub)), ...claims };
    } catch (error) {
      if (decides) return claims;
      throw error;
    }
  }

  private get callback(): string {
    return `${this.settings.url}/callback`;
  }

  private opened(sealed: string): PendingSignIn | null {
    try {
      return this.keys.open<PendingSignIn>(SEAL, Buffer.from(sealed, 'base64url'));
    } catch {
      return null;
    }
  }

  /** Reads what the provider says of itself when that is first needed: it may be away when the gateway starts. */
  private async connect(): Promise<ProviderConnection> {
    const { connection } = this;
    if (connection && connection.untilMs > Date.now()) return connection.connected;
    const connected = this.discover();
    this.connection = { connected, untilMs: Date.now() + KNOWN_MS };
    try {
      return await connected;
    } catch (error) {
      // The known keys and addresses serve on while the provider is away.
      this.connection = connection && { ...connection, untilMs: Date.now() + TIMEOUT_SECONDS * 1000 };
      if (connection) return connection.connected;
      throw new SignInFailed('unavailable', `The provider in CONSOLE_OIDC_ISSUER cannot be used${codeIn(error)}.`);
    }
  }

  private async discover(): Promise<ProviderConnection> {
    const client = await import('openid-client');
    const { issuer, clientId, clientSecret } = this.settings;
    // The settings allow that for a provider on this machine alone.
    const isPlain = new URL(issuer).protocol === 'http:';
    const basic = client.ClientSecretBasic(clientSecret);
    const post = client.ClientSecretPost(clientSecret);
    const configuration = await client.discovery(
      new URL(issuer),
      clientId,
      { [client.clockTolerance]: CLOCK_TOLERANCE_SECONDS },
      (server, ...rest) => {
        const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
        return (methods.includes('client_secret_basic') ? basic : post)(server, ...rest);
      },
      {
        timeout: TIMEOUT_SECONDS,
        // oxlint-disable-next-line typescript/no-deprecated -- marked as such only to make it stand out
        execute: [client.enableNonRepudiationChecks, ...(isPlain ? [client.allowInsecureRequests] : [])],
      },
    );
    return { client, configuration };
  }
}

function tokensOf(
  { refresh_token, access_token }: Pick<openid.TokenEndpointResponse, 'refresh_token' | 'access_token'>,
  idToken: string | null,
): Pick<Person, 'idToken' | 'refreshToken' | 'accessToken'> {
  return { idToken, refreshToken: refresh_token ?? null, accessToken: access_token };
}

async function userInfoOf(
  { client, configuration }: ProviderConnection,
  accessToken: string,
  subject: string,
): Promise<Record<string, unknown>> {
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return {};
  return client.fetchUserInfo(configuration, accessToken, subject);
}

function failureOf(error: unknown, client: typeof openid): SignInFailed {
  if (error instanceof SignInFailed) return error;
  if (error instanceof client.AuthorizationResponseError) {
    const isCancelled = error.error === 'access_denied';
    return new SignInFailed(isCancelled ? 'cancelled' : 'refused', `The provider signed nobody in${codeIn(error)}.`);
  }
  const { code } = error as NodeJS.ErrnoException;
  // A request that failed has no code of the library's.
  const { cause } = Object(error) as { cause?: unknown };
  const { status } = Object(cause) as { status?: unknown };
  const isAway =
    (typeof status === 'number' && status >= 500) ||
    code === 'OAUTH_TIMEOUT' ||
    code === 'OAUTH_ABORT' ||
    (code === undefined && error instanceof TypeError);
  return new SignInFailed(
    isAway ? 'unavailable' : 'refused',
    isAway ? 'The provider did not answer.' : `The answer of the provider was refused${codeIn(error)}.`,
  );
}

function codeIn(error: unknown): string {
  const { error: oauth, code } = Object(error) as { error?: unknown; code?: unknown };
  const errorCode = [oauth, code].find(text => typeof text === 'string' && CODE.test(text));
  return typeof errorCode === 'string' ? ` (${errorCode})` : '';
}
