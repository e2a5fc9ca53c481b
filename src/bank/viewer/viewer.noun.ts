import { noun, resolver } from '../../platform/noun/noun.js';
import type { Scope } from '../../shared/caller.js';
import type { ProgramService } from '../program/program.service.js';
import { ViewerResolver } from './viewer.resolver.js';
import { ViewerService } from './viewer.service.js';
import { viewerRest } from './viewer.rest.js';

interface Needs {
  readonly programs: ProgramService;
  /** Everything that an access token can allow. */
  readonly scopes: readonly Scope[];
}
export interface Services {
  readonly viewers: ViewerService;
}

export const viewerNoun = noun<Needs>()({
  services: ({ programs, scopes }): Services => ({ viewers: new ViewerService(programs, scopes) }),
  resolvers: [resolver(ViewerResolver, (of: Services) => new ViewerResolver(of.viewers))],
  rest: ({ scopes }) => [viewerRest(scopes)],
});
