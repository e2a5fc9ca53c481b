import type { SessionService } from '../session/session.service.js';
import { RevokedTokens } from '../../platform/auth/revoked-tokens.js';
import { UsedProof } from '../../platform/auth/used-proof.entity.js';
import { UsedProofs } from '../../platform/auth/used-proofs.js';
import type { ProgramCommands } from '../../platform/command/program-commands.js';
import type { Database } from '../../platform/database/orm.js';
import type { Logger } from '../../platform/logging/logger.js';
import { noun, resolver } from '../../platform/noun/noun.js';
import { RevocationWatch } from './revocation-watch.js';
import { TokenRevocation } from './token-revocation.entity.js';
import { TokenRevocationRepository } from './token-revocation.repository.js';
import { TOKEN_EVENTS } from './token.events.js';
import { TokenResolver } from './token.resolver.js';
import { TokenService } from './token.service.js';
import { sweepTokens } from './token.sweep.js';
import { tokenRest } from './token.rest.js';

interface Needs {
  readonly database: Database;
  readonly log: Logger;
  readonly programCommands: ProgramCommands;
  readonly sessions: SessionService;
}
export interface Services {
  readonly usedProofs: UsedProofs;
  readonly tokens: TokenService;
  readonly tokenRevocations: TokenRevocationRepository;
  readonly revocationWatch: RevocationWatch;
}

/** Access tokens: which are revoked, and the proofs that came with them. */
export const tokenNoun = noun<Needs>()({
  entities: [UsedProof, TokenRevocation],
  events: TOKEN_EVENTS,
  services: ({ database, log, programCommands, sessions }): Services => {
    const tokenRevocations = new TokenRevocationRepository(database);
    const revocationWatch = new RevocationWatch(database, tokenRevocations, new RevokedTokens(), log);
    return {
      usedProofs: new UsedProofs(database),
      tokenRevocations,
      revocationWatch,
      tokens: new TokenService(tokenRevocations, revocationWatch, sessions, programCommands),
    };
  },
  resolvers: [resolver(TokenResolver, (of: Services) => new TokenResolver(of.tokens))],
  rest: () => [tokenRest],
  jobs: async ({ usedProofs, tokenRevocations }, { log }) => [sweepTokens(usedProofs, tokenRevocations, log)],
});
