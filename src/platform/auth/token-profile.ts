import { claimNamed, type ClaimPath } from './claim-path.js';

/** What the header `typ` of a token may say: null stands for a header without it. */
export type TokenType = 'at+jwt' | 'jwt' | null;

/** What an issuer's access tokens look like. Of several claims for one thing the first counts that a token has. */
export interface TokenProfile {
  readonly types: ReadonlySet<TokenType>;
  /** What is held against the audience where a token has no `aud`. None: such a token is refused. */
  readonly audience: readonly ClaimPath[];
  readonly program: readonly ClaimPath[];
  readonly client: readonly ClaimPath[];
  readonly subject: readonly ClaimPath[];
  readonly customer: readonly ClaimPath[];
  readonly scope: readonly ClaimPath[];
  /** Whether scopes may come as a list of texts as well; RFC 9068 has one text. */
  readonly scopeLists: boolean;
  /** Taken off each scope; scopes without it count for nothing. Empty: scopes are taken as they are. */
  readonly scopePrefix: string;
  /** The program of clients whose tokens name none. */
  readonly clientPrograms: ReadonlyMap<string, string>;
  /** The clients whose tokens may act for the whole program; null: each one whose token names no customer. */
  readonly programWideClients: ReadonlySet<string> | null;
}

/** Access tokens as RFC 9068 has them, with the claims `program` and `customer_id`. */
export const RFC_9068: TokenProfile = {
  types: new Set(['at+jwt'] as const),
  audience: [],
  program: [claimNamed('program')],
  client: [claimNamed('client_id')],
  subject: [claimNamed('sub')],
  customer: [claimNamed('customer_id')],
  scope: [claimNamed('scope')],
  scopeLists: false,
  scopePrefix: '',
  clientPrograms: new Map(),
  programWideClients: null,
};
