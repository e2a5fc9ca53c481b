import { noun, resolver } from '../../platform/noun/noun.js';
import type { ProgramService } from '../program/program.service.js';
import { viewerApi } from './viewer.openapi.js';
import { ViewerResolver } from './viewer.resolver.js';
import { viewerRoutes } from './viewer.routes.js';
import { ViewerService } from './viewer.service.js';

export interface Services {
  readonly viewers: ViewerService;
}

export const viewerNoun = noun<{ readonly programs: ProgramService }>()({
  services: ({ programs }): Services => ({ viewers: new ViewerService(programs) }),
  resolvers: [resolver(ViewerResolver, (of: Services) => new ViewerResolver(of.viewers))],
  routes: of => [viewerRoutes(of.viewers)],
  api: () => [viewerApi],
});
