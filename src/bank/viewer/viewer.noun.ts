import { noun, resolver } from '../../platform/noun/noun.js';
import type { NounBase } from '../../platform/noun/noun-base.js';
import type { ProgramService } from '../program/program.service.js';
import { ViewerResolver } from './viewer.resolver.js';
import { ViewerService } from './viewer.service.js';
import { viewerRest } from './viewer.rest.js';

interface Needs {
  readonly programs: ProgramService;
}

export const viewerNoun = noun({
  services: ({ programs, scopes }: NounBase & Needs) => ({ viewers: new ViewerService(programs, scopes) }),
  resolvers: [resolver(ViewerResolver, 'viewers')],
  rest: ({ scopes }) => [viewerRest(scopes)],
});
