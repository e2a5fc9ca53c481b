import { randomUUID } from 'node:crypto';
import type { SessionService } from '../session/session.service.js';
import { CLOCK_TOLERANCE_SECONDS } from '../../platform/auth/token-profile.js';
import type { ProgramCommands } from '../../platform/command/program-commands.js';
import type { Draft } from '../../platform/repository/batched-repository.js';
import type { Caller } from '../../shared/caller.js';
import { instantPlaceOf, positionAt } from '../../shared/instant-place.js';
import { sliceOf, windowOf, type CursorRequest, type Listing, type Page, type PageRequest } from '../../shared/page.js';
import type { TokenRevocationRead, TokenRevocationView } from './token-revocation.entity.js';
import type { TokenRevocationRepository } from './token-revocation.repository.js';
import type { RevocationWatch } from './revocation-watch.js';
import { BadRevocationInstant, MAX_REVOCATIONS, TooManyTokenRevocations } from './token.errors.js';
import { revocationFacts } from './token.events.js';
import type { TokenRevocationInput } from './token.inputs.js';
import { READ_REVOCATIONS, REVOKE_TOKENS } from './token.operations.js';

interface RevocationFact {
  readonly onFile: TokenRevocationRead | null;
  /** The number of revocations of the program. */
  readonly count: number;
}

interface RevocationDraft {
  readonly row: Draft;
  readonly isNew: boolean;
}

const CHANGED = ['latestIssuedAt', 'revokedAt'];

/** Revokes access tokens of the caller's program: single ones, those of a client, or those of a subject. */
export class TokenService {
  constructor(
    private readonly repository: TokenRevocationRepository,
    private readonly watch: RevocationWatch,
    private readonly sessions: SessionService,
    private readonly commands: ProgramCommands,
  ) {}

  private readonly updating = this.repository.updating(CHANGED);
  private readonly revoking = this.commands.command<
    TokenRevocationInput,
    RevocationFact,
    TokenRevocationView,
    RevocationDraft
  >(REVOKE_TOKENS, {
    readFacts: async (transaction, requests) => {
      const [onFile, counts] = await Promise.all([
        this.repository.each(
          transaction,
          requests.map(({ caller, input: { kind, value } }) => [caller.program, kind, value]),
        ),
        this.repository.counts(
          transaction,
          requests.map(({ caller }) => caller.program),
        ),
      ]);
      return onFile.map((found, index) => ({ onFile: found, count: counts[index] ?? 0 }));
    },
    permit: (_program, { onFile, count }, { caller: { program }, input }) => {
      const now = new Date();
      const latestIssuedAt = latestIssuedAtOf(input, now);
      const { kind, value } = input;
      if (!onFile && count >= MAX_REVOCATIONS) throw new TooManyTokenRevocations();
      const revocationId = onFile?.revocationId ?? randomUUID();
      const result = { kind, value, revocationId, latestIssuedAt, revokedAt: now.toISOString() };
      const draft = { row: this.repository.draft({ ...result, program }), isNew: !onFile };
      if (onFile && (onFile.latestIssuedAt ?? '') >= (latestIssuedAt ?? '')) {
        const { program: _, ...same } = onFile;
        return { result: same, draft, isUnchanged: true };
      }
      return { result, draft };
    },
    write: accepted => {
      const rowsOf = (isNew: boolean): Draft[] =>
        accepted.filter(({ draft }) => draft.isNew === isNew).map(({ draft: { row } }) => row);
      const [added, changed] = [rowsOf(true), rowsOf(false)];
      return [
        ...(added.length > 0 ? [this.repository.insertion(added)] : []),
        ...(changed.length > 0 ? [this.updating(changed)] : []),
      ];
    },
    event: ({ result }) => ({
      object: `token_revocation/${result.revocationId}`,
      data: revocationFacts(result),
    }),
  });

  /**
   * From now on the tokens are refused in this process, and within two seconds in every other. The sessions of a
   * subject at the console end as well. Throws `TooManyTokenRevocations`, `InvalidInput`.
   */
  async revoke(caller: Caller, input: TokenRevocationInput): Promise<TokenRevocationView> {
    const revocation = await this.revoking(caller, input);
    await this.watch.look();
    // Also where the request is repeated, as the process may have stopped before this.
    if (input.kind === 'SUBJECT') await this.sessions.endOf(input.value, caller.program);
    return revocation;
  }

  /** The revocations of the caller's program, the newest first. Throws `InvalidInput`. */
  list(caller: Caller, request: CursorRequest): Listing<TokenRevocationView> {
    caller.require(READ_REVOCATIONS);
    const window = windowOf(request, (cursor, pointer) => {
      const { at, id: revocationId } = instantPlaceOf(cursor, pointer);
      return { revokedAt: new Date(at), revocationId };
    });
    return {
      page: async () =>
        sliceOf(await this.repository.between(caller.program, window), window, ({ revokedAt, revocationId }) =>
          positionAt({ at: revokedAt, id: revocationId }),
        ),
      total: () => this.repository.total(caller.program),
    };
  }

  /** Like `list`, by offset. */
  async page(caller: Caller, request: PageRequest): Promise<Page<TokenRevocationView>> {
    caller.require(READ_REVOCATIONS);
    return this.repository.at(caller.program, request);
  }
}

/** Tokens that an issuer with a fast clock gave until now name a later instant. Throws `BadRevocationInstant`. */
function latestIssuedAtOf({ kind, before }: TokenRevocationInput, now: Date): string | null {
  if (kind === 'TOKEN') {
    if (!before) return null;
    throw new BadRevocationInstant('Must be absent for TOKEN: a single token is revoked whenever it was issued.');
  }
  if (!before) return new Date(now.getTime() + CLOCK_TOLERANCE_SECONDS * 1000).toISOString();
  if (before <= now.toISOString()) return before;
  throw new BadRevocationInstant('Must not be in the future: tokens of then are not issued yet.');
}
