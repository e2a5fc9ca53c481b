import type { SessionService } from '../session/session.service.js';
import { RevokedTokens } from '../../platform/auth/revoked-tokens.js';
import { UsedProof } from '../../platform/auth/used-proof.entity.js';
import { UsedProofs } from '../../platform/auth/used-proofs.js';
import type { ProgramCommands } from '../../platform/command/program-commands.js';
import { noun, resolver } from '../../platform/noun/noun.js';
import type { NounBase } from '../../platform/noun/noun-base.js';
import { RevocationWatch } from './revocation-watch.js';
import { TokenRevocation } from './token-revocation.entity.js';
import { TokenRevocationRepository } from './token-revocation.repository.js';
import { TOKEN_EVENTS } from './token.events.js';
import { TokenResolver } from './token.resolver.js';
import { TokenService } from './token.service.js';
import { sweepTokens } from './token.sweep.js';
import { tokenRest } from './token.rest.js';

interface Needs {
  readonly programCommands: ProgramCommands;
  readonly sessions: SessionService;
}

/** Access tokens: which are revoked, and the proofs that came with them. */
export const tokenNoun = noun({
  entities: [UsedProof, TokenRevocation],
  events: TOKEN_EVENTS,
  services: ({ database, log, programCommands, sessions }: NounBase & Needs) => {
    const tokenRevocations = new TokenRevocationRepository(database);
    const revocationWatch = new RevocationWatch(database, tokenRevocations, new RevokedTokens(), log);
    return {
      usedProofs: new UsedProofs(database),
      tokenRevocations,
      revocationWatch,
      tokens: new TokenService(tokenRevocations, revocationWatch, sessions, programCommands),
    };
  },
  resolvers: [resolver(TokenResolver, 'tokens')],
  rest: () => [tokenRest],
  jobs: async ({ usedProofs, tokenRevocations }, { log }) => [sweepTokens(usedProofs, tokenRevocations, log)],
});
