import type { Answer } from '../../support/http.js';
import type { Canaries, ShownKind } from './canaries.js';
import { isGood, type CanaryGateway } from './house.js';

/** One write, as it is sent over REST or GraphQL. */
export interface Write {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly mayShow?: readonly ShownKind[];
}

/**
 * Sends writes in every way: without a key; with one that holds canaries, in headers that hold some; and that one
 * again.
 */
export class Writer {
  private count = 0;

  constructor(
    private readonly house: CanaryGateway,
    private readonly canaries: Canaries,
    private readonly token: string,
  ) {}

  async once<Body>({ mayShow, ...write }: Write): Promise<Body> {
    return this.good(await this.house.ask(this.token, write, mayShow));
  }

  /** Gives the body of the answer. */
  withReplay<Body>(write: Write): Promise<Body> {
    return this.twice(write, 'true');
  }

  /** Gives the body of the answer to a write that is carried out again by a retry, since it shows something. */
  withRetry<Body>(write: Write): Promise<Body> {
    return this.twice(write, undefined);
  }

  private async twice<Body>({ mayShow, ...write }: Write, replayed: 'true' | undefined): Promise<Body> {
    const headers = this.headers(`write ${(this.count += 1)}`);
    const first = this.good(await this.house.ask(this.token, { ...write, headers }, mayShow));
    const again = await this.house.ask(this.token, { ...write, headers }, mayShow);
    if (again.headers['idempotent-replayed'] !== replayed) throw new Error('A retry was not answered as it should be.');
    if (write.body !== undefined) await this.reuse(write, headers);
    return first;
  }

  /** Another request under the same key: it is refused, and what it holds is not kept. */
  private async reuse({ body, ...write }: Write, headers: Record<string, string>): Promise<void> {
    const { email, taxId } = this.canaries.person('stray', `reused key ${this.count}`);
    const { query, variables } = body as { query?: string; variables?: { input?: object } };
    // A card names its account in its input, and a customer has none; for all others the account is a variable of its
    // own.
    const sent = variables?.input ?? {};
    const input =
      ('number' in sent && { ...sent, cardProductId: taxId }) ||
      ('governmentId' in sent && { ...sent, name: { first: email, last: taxId } });
    const other = query
      ? { query, variables: { ...variables, account: taxId, ...(input && { input }) } }
      : { ...(body as object), name: { first: email, last: taxId } };
    const answer = await this.house.ask(this.token, { ...write, body: other, headers });
    if (isGood(answer)) throw new Error('Another request under the same key was not refused.');
  }

  /** Clients put anything into the headers that are theirs to fill. */
  private headers(sentBy: string): Record<string, string> {
    const { taxId, email, phone, governmentId, birthDate } = this.canaries.person('stray', `headers of ${sentBy}`);
    const { number, pin } = this.canaries.card('stray', `headers of ${sentBy}`);
    const plain = phone.replaceAll(' ', '');
    return {
      'x-idempotency-key': `${taxId}/${email}/${plain}/${governmentId}/${birthDate}/${number}/${pin}`,
      'user-agent': `canary/${number} (${email}; ${taxId})`,
      referer: `https://bank.example/?taxId=${taxId}&pan=${number}&phone=${encodeURIComponent(phone)}`,
      cookie: `taxId=${taxId}; pin=${pin}`,
      'x-forwarded-for': governmentId,
    };
  }

  private good<Body>(answer: Answer<Body>): Body {
    if (!isGood(answer)) throw new Error(`A write was refused with ${answer.status}: ${answer.text}`);
    return answer.body;
  }
}
