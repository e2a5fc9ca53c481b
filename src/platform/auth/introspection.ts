import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type * as openid from 'openid-client';
import { Unavailable } from '../../shared/errors.js';
import type { Logger } from '../logging/logger.js';
import type { IntrospectionSettings } from './introspection-settings.js';

/** The issuer's word on a token: whether it still accepts it; `away` where it says nothing. */
type TokenState = 'active' | 'inactive' | 'away';

const MAX_CACHED_TOKENS = 10_000;
const TIMEOUT_SECONDS = 3;
/** The time for which an issuer that did not answer is not asked about the same token again. */
const AWAY_MS = 1000;

interface IntrospectionClient {
  readonly client: typeof openid;
  readonly configuration: openid.Configuration;
}

/** Asks the issuer whether tokens are still active (RFC 7662). */
export class Introspection {
  private connected: Promise<IntrospectionClient> | null = null;
  private isAway = false;
  // Keyed by digests, so that a dump of the memory has no valid credentials.
  private readonly states: LRUCache<string, TokenState, string>;

  constructor(
    private readonly issuer: string,
    private readonly settings: IntrospectionSettings,
    private readonly log: Logger,
  ) {
    this.states = new LRUCache({
      max: MAX_CACHED_TOKENS,
      ttl: Math.max(1, settings.cacheSeconds * 1000),
      // Concurrent requests with one token are one question.
      fetchMethod: async (_digest, _stale, { options, context }) => {
        const state = await this.ask(context);
        if (state === 'away') options.ttl = Math.min(AWAY_MS, options.ttl ?? AWAY_MS);
        return state;
      },
    });
  }

  /** Throws `Unavailable` where the issuer does not answer, unless the settings go on then. */
  async isActive(token: string): Promise<boolean> {
    const state = await this.states.fetch(hash('sha256', token, 'base64'), { context: token });
    if (state === 'active') return true;
    if (state === 'inactive') return false;
    if (this.settings.whenAway === 'accept') return true;
    throw new Unavailable('The issuer of the access token cannot be asked about it at the moment. Try again.');
  }

  private async ask(token: string): Promise<TokenState> {
    try {
      const { client, configuration } = await (this.connected ??= this.connect());
      const { active } = await client.tokenIntrospection(configuration, token, { token_type_hint: 'access_token' });
      this.isAway = false;
      return active ? 'active' : 'inactive';
    } catch (error) {
      if (!this.isAway) {
        const { code } = Object(error) as { code?: unknown };
        this.log.warn({ code }, 'the issuer could not be asked about access tokens; AUTH_INTROSPECTION_AWAY decides');
      }
      this.isAway = true;
      return 'away';
    }
  }

  private async connect(): Promise<IntrospectionClient> {
    const client = await import('openid-client');
    const { url, clientId, clientSecret } = this.settings;
    const server = { issuer: this.issuer, introspection_endpoint: url };
    const configuration = new client.Configuration(server, clientId, {}, client.ClientSecretBasic(clientSecret));
    configuration.timeout = TIMEOUT_SECONDS;
    // The settings allow that for an issuer on this machine alone.
    // oxlint-disable-next-line typescript/no-deprecated -- marked as such only to make it stand out
    if (new URL(url).protocol === 'http:') client.allowInsecureRequests(configuration);
    return { client, configuration };
  }
}
