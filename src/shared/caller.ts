import { InsufficientScope, NotForAgents, ProgramWideOnly, type Refusal } from './errors.js';

/** Everything an access token can allow. A token without scopes allows nothing. */
export const SCOPES = [
  'accounts.read',
  'beneficiaries.read',
  'beneficiaries.write',
  'owners.write',
  'statements.read',
  'transactions.read',
  'cards.read',
  'cards.write',
  'transfers.write',
  'operations',
  'operations.read',
  'approvals',
  'requests.read',
  'pii.read',
] as const;

type BankScope = (typeof SCOPES)[number];

/**
 * A scope that a noun of an embedder has. The colon tells it from those of the bank, of this release and of later ones.
 */
export type NounScope = `${string}:${string}`;

export type Scope = BankScope | NounScope;

/** The scope that marks a token as that of an agent. It allows nothing. */
export const AGENT_SCOPE = 'agent';

/** The scopes of the bank that a token can be asked for. */
export const TOKEN_SCOPES: readonly string[] = [...SCOPES, AGENT_SCOPE];

/** True for a scope that a token can be asked for. */
export function isTokenScope(name: string): boolean {
  return name === AGENT_SCOPE || isScope(name);
}

const BANK_SCOPES: ReadonlySet<string> = new Set(SCOPES);
const NOUN_SCOPE = /^[a-z][a-z0-9.-]{0,63}:[a-z][a-z0-9.-]{0,63}$/;

/** True for the name of a scope of the bank, and for one that a noun of an embedder may have. */
export function isScope(name: string): name is Scope {
  return BANK_SCOPES.has(name) || NOUN_SCOPE.test(name);
}

/**
 * Scopes that only a program-wide token can use. Changing owners is among them: a customer could add a stranger and
 * read the stranger's record, or remove the other owners.
 */
export const PROGRAM_WIDE: ReadonlySet<Scope> = new Set(['operations', 'operations.read', 'approvals', 'owners.write']);

/** Scopes of which an agent can use none: what they allow is for people to decide and to see. */
const FOR_PEOPLE: ReadonlySet<Scope> = new Set(['approvals', 'pii.read']);

/**
 * The permission that a token must have for an operation: all of the scopes, no customer where it is for the whole
 * program, and no agent where it is for people.
 */
export interface Permission {
  readonly scopes: readonly Scope[];
  readonly isProgramWide: boolean;
  readonly isForPeople?: boolean;
}

/** Scopes that others include, with those: each of them will do in place of the scope. */
export const INCLUDING_SCOPES: ReadonlyMap<Scope, readonly Scope[]> = new Map<Scope, readonly Scope[]>([
  ['operations.read', ['operations']],
  ['approvals', ['operations']],
  ['transfers.write', ['operations']],
  ['requests.read', ['operations.read', 'operations']],
]);

/** A person who is signed in at a page of the gateway's own, and calls without an access token. */
export interface SignIn {
  /** Tells it from other sign-ins. Nothing can be done with it alone. */
  readonly id: string;
  /** Scopes that the person has, and that only the operations use that are there for them. */
  readonly reserved: ReadonlySet<Scope>;
  /** Calls `ended` with the reason once it is over. Gives a function that stops that. */
  watch(ended: (reason: Refusal) => void): () => void;
}

/** The keys of which the holder of a token must prove to have one (RFC 7800): SHA-256 thumbprints in base64url. */
export interface KeyBinding {
  /** The thumbprint of a public key (RFC 7638), for DPoP; null for a token without it. */
  readonly jwkThumbprint: string | null;
  /** The thumbprint of a client's certificate (RFC 8705, 3.1); null for a token without it. */
  readonly certificateThumbprint: string | null;
}

/** The facts that an access token states about itself. */
export interface TokenFacts {
  /** `jti`; null where it has none. */
  readonly tokenId: string | null;
  /** `iat`, in milliseconds since the epoch; null where it has none. */
  readonly issuedAtMs: number | null;
  /** Null for a token that everybody who has it can use. */
  readonly binding: KeyBinding | null;
}

/** The identity for whom a verified access token speaks. The same for every request with that token. */
export interface Identity {
  /** The tenant. Another program's objects do not exist for this caller. */
  readonly program: string;
  readonly clientId: string;
  readonly subject: string;
  /**
   * The person who calls, by the claim that the settings name, which is the same in access tokens and sign-ins. Null
   * where the claim is missing, absent where none is named: then nobody knows more than the subject.
   */
  readonly person?: string | null;
  /** The agent that acts for the subject now (RFC 8693, 4.1); absent where nobody acts. */
  readonly actor?: string;
  /** Set where the token belongs to one customer, who sees only accounts that this customer owns. */
  readonly customerId: string | null;
  readonly scopes: ReadonlySet<Scope>;
  /** When the token ends, in milliseconds since the epoch; absent for those who act without a token. */
  readonly expiresAtMs?: number;
  /** Absent for those who act without a token. */
  readonly token?: TokenFacts | null;
  /** Set for a person who is signed in. */
  readonly signIn?: SignIn | null;
}

/** An identity as an agent has it. Where the token names none, its client is the agent. */
export function asAgent<Of extends Pick<Identity, 'actor' | 'clientId'>>(
  identity: Of,
): Of & { readonly actor: string } {
  return { ...identity, actor: identity.actor ?? identity.clientId };
}

/** The key under which requests and subscriptions are counted together: those of a client, or those of one sign-in. */
export function clientKeyOf({ program, clientId, signIn }: Pick<Identity, 'program' | 'clientId' | 'signIn'>): string {
  return signIn ? `${program}\n${clientId}\n${signIn.id}` : `${program}\n${clientId}`;
}

/** The place of a write among several in one request. */
export interface WritePlace {
  /** From 1. */
  readonly position: number;
  /** The number of writes in the request, those that a directive leaves out included. */
  readonly of: number;
}

/**
 * The key of those among whom places and turns are shared out: programs, then their clients or sign-ins, then the
 * customers of these.
 */
export function sharerOf(
  identity: Pick<Identity, 'program' | 'clientId' | 'customerId' | 'signIn'>,
): [string, string, string] {
  return [identity.program, clientKeyOf(identity), identity.customerId ?? ''];
}

/** The idempotency key that came with a request, and what became of each write that ran under it. */
export interface Idempotency {
  /** 1 to 1,024 bytes, each as one character (ISO 8859-1). */
  readonly key: string;
  /** Null where the request is one write. */
  readonly place: WritePlace | null;
  /**
   * The content that the client sent, where the input of its write is made from that: a repeated request is compared by
   * it.
   */
  readonly sent?: object;
  /** The outcomes of the commands of the request so far, with the position of the write that each is part of. */
  readonly outcomes: { readonly position: number | null; readonly isReplay: boolean }[];
}

/** The caller of one request: who asks, under which request id, and with which idempotency key. */
export class Caller implements Identity {
  readonly program: string;
  readonly clientId: string;
  readonly subject: string;
  readonly person?: string | null;
  readonly actor?: string;
  readonly customerId: string | null;
  readonly scopes: ReadonlySet<Scope>;
  readonly expiresAtMs: number;
  readonly token: TokenFacts | null;
  readonly signIn: SignIn | null;
  readonly requestId: string;
  readonly idempotency: Idempotency | null;
  /** The reason that an agent states for its writes; null where it states none. */
  readonly statedReason: string | null;

  constructor(
    identity: Identity & Partial<Pick<Caller, 'statedReason'>>,
    requestId: string,
    idempotency: Idempotency | null = null,
  ) {
    this.program = identity.program;
    this.clientId = identity.clientId;
    this.subject = identity.subject;
    if (identity.person !== undefined) this.person = identity.person;
    if (identity.actor !== undefined) this.actor = identity.actor;
    this.customerId = identity.customerId;
    this.scopes = identity.scopes;
    this.expiresAtMs = identity.expiresAtMs ?? Infinity;
    this.token = identity.token ?? null;
    this.signIn = identity.signIn ?? null;
    this.requestId = requestId;
    this.idempotency = idempotency;
    this.statedReason = identity.statedReason ?? null;
  }

  /** True for an agent, which reads, and whose writes wait until a person approves them. */
  get isAgent(): boolean {
    return this.actor !== undefined;
  }

  may(needed: Scope | Permission): boolean {
    const permission = typeof needed === 'string' ? { scopes: [needed], isProgramWide: false } : needed;
    return this.refusalOf(permission) === null;
  }

  /** Throws `InsufficientScope` or `ProgramWideOnly` unless the token allows it. */
  require(permission: Permission): void {
    const refusal = this.refusalOf(permission);
    if (refusal) throw refusal;
  }

  /**
   * Why the token does not allow it: `InsufficientScope`, or `ProgramWideOnly` and `NotForAgents` where no scope would
   * help. Null where it does.
   */
  refusalOf({ scopes, isProgramWide, isForPeople = false }: Permission): Refusal | null {
    if (this.isAgent && isForPeople) return new NotForAgents();
    for (const scope of scopes) {
      if (this.isAgent && FOR_PEOPLE.has(scope)) return new NotForAgents();
      if (this.isBoundFrom(scope)) return new ProgramWideOnly();
      if (!this.hasScope(scope)) return new InsufficientScope(scope);
    }
    return isProgramWide && this.customerId !== null ? new ProgramWideOnly() : null;
  }

  private isBoundFrom(scope: Scope): boolean {
    return this.customerId !== null && PROGRAM_WIDE.has(scope);
  }

  private hasScope(scope: Scope): boolean {
    return this.scopes.has(scope) || (INCLUDING_SCOPES.get(scope) ?? []).some(including => this.scopes.has(including));
  }

  /** This caller with the scopes that its sign-in reserves for single operations, for an operation that needs them. */
  withReserved(): Caller {
    if (!this.signIn || this.signIn.reserved.size === 0) return this;
    const scopes = new Set([...this.scopes, ...this.signIn.reserved]);
    return new Caller({ ...this, scopes }, this.requestId, this.idempotency);
  }

  /** This caller for one of several writes of a request, by its place among them: each has a key of its own. */
  forWrite(place: WritePlace): Caller {
    return this.idempotency ? new Caller(this, this.requestId, { ...this.idempotency, place }) : this;
  }

  /** This caller for a write whose input is made from `sent`: under its key, `sent` is compared and not the input. */
  sending(sent: object): Caller {
    return this.idempotency ? new Caller(this, this.requestId, { ...this.idempotency, sent }) : this;
  }

  /**
   * True when everything was answered from its record, so nothing was done this time: of the request, or of one write
   * for the caller of that.
   */
  get replayed(): boolean {
    const { outcomes = [], place = null } = this.idempotency ?? {};
    const own = place ? outcomes.filter(({ position }) => position === place.position) : outcomes;
    return own.length > 0 && own.every(({ isReplay }) => isReplay);
  }
}
