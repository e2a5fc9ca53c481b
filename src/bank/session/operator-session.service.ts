import type { ProgramCommands } from '../../platform/command/program-commands.js';
import type { Draft } from '../../platform/repository/batched-repository.js';
import type { Caller } from '../../shared/caller.js';
import { instantPlaceOf, positionAt } from '../../shared/instant-place.js';
import { sliceOf, windowOf, type CursorRequest, type Listing, type Page, type PageRequest } from '../../shared/page.js';
import { OperatorSessionNotFound } from './operator-session.errors.js';
import { END_SESSION, READ_SESSIONS } from './operator-session.operations.js';
import { operatorSessionOf, type OperatorSession } from './operator-session.js';
import type { SessionRead, SessionRepository } from './session.repository.js';
import type { SessionService } from './session.service.js';

interface NamedSession {
  readonly sessionId: string;
}

/** Tells who of a program is signed in at the console, for those who operate it. */
export class OperatorSessionService {
  constructor(
    private readonly sessions: SessionService,
    private readonly repository: SessionRepository,
    private readonly commands: ProgramCommands,
  ) {}

  /** The open sessions of the caller's program, the newest first. Throws `InvalidInput`. */
  list(caller: Caller, request: CursorRequest): Listing<OperatorSession> {
    caller.require(READ_SESSIONS);
    const window = windowOf(request, (cursor, pointer) => {
      const { at, id: sessionId } = instantPlaceOf(cursor, pointer);
      return { createdAt: new Date(at), sessionId };
    });
    return {
      page: async () => {
        const open = await this.repository.listed(caller.program, window);
        const shown = open.map(({ session }) => operatorSessionOf(session, ownOf(caller)));
        return sliceOf(shown, window, ({ createdAt: at, sessionId: id }) => positionAt({ at, id }));
      },
      total: () => this.repository.total(caller.program),
    };
  }

  /** Like `list`, by offset. */
  async page(caller: Caller, { offset: skip, limit }: PageRequest): Promise<Page<OperatorSession>> {
    caller.require(READ_SESSIONS);
    const window = { after: null, before: null, skip, limit, fromEnd: false };
    const [open, total] = await Promise.all([
      this.repository.listed(caller.program, window),
      this.repository.total(caller.program),
    ]);
    const items = open.slice(0, limit).map(({ session }) => operatorSessionOf(session, ownOf(caller)));
    return { items, total };
  }

  private readonly updating = this.repository.updating(['endedAt']);
  private readonly ending = this.commands.command<NamedSession, SessionRead | null, OperatorSession, Draft>(
    END_SESSION,
    {
      readFacts: (transaction, requests) =>
        this.repository.named(
          transaction,
          requests.map(({ input }) => input.sessionId),
        ),
      permit: (program, session, { caller }) => {
        const now = new Date().toISOString();
        const isOpen = session?.program === program && session.endedAt === null && session.endsAt > now;
        if (!isOpen) throw new OperatorSessionNotFound();
        const draft = this.repository.draftOf({ sessionId: session.sessionId, endedAt: now }, ['endedAt']);
        return { result: operatorSessionOf(session, ownOf(caller)), draft };
      },
      write: accepted => [this.updating(accepted.map(({ draft }) => draft))],
      event: ({ result: { sessionId, subject } }) => ({
        action: 'console.sign_out',
        object: sessionId,
        data: { person: subject },
      }),
    },
  );

  /** Ends a session of the caller's program: its next request is refused. Throws `OperatorSessionNotFound`. */
  async end(caller: Caller, sessionId: string): Promise<OperatorSession> {
    const ended = await this.ending(caller, { sessionId });
    this.sessions.tellEnded(ended.sessionId);
    return ended;
  }
}

function ownOf({ signIn }: Caller): string | null {
  return signIn?.id ?? null;
}
