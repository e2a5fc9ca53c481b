import type { CardService } from '../card/card.service.js';
import type { NoteService } from '../note/note.service.js';
import type { CustomerService } from '../owner/customer.service.js';
import type { OwnerService } from '../owner/owner.service.js';
import type { ProgramCommands } from '../platform/command/program-commands.js';
import { noun, resolver } from '../platform/noun/noun.js';
import { ERASURE_EVENTS } from './erasure.events.js';
import { erasureApi } from './erasure.openapi.js';
import { ErasureResolver } from './erasure.resolver.js';
import { erasureRoutes } from './erasure.routes.js';
import { ErasureService } from './erasure.service.js';

interface Needs {
  readonly programCommands: ProgramCommands;
  readonly customers: CustomerService;
  readonly owners: OwnerService;
  readonly cards: CardService;
  readonly notes: NoteService;
}
export interface Services {
  readonly erasures: ErasureService;
}

export const erasureNoun = noun<Needs>()({
  events: ERASURE_EVENTS,
  services: ({ customers, cards, notes, programCommands }): Services => ({
    erasures: new ErasureService(customers, cards, notes, programCommands),
  }),
  resolvers: [resolver(ErasureResolver, (of: Services) => new ErasureResolver(of.erasures))],
  routes: of => [erasureRoutes(of.erasures, of.owners)],
  api: () => [erasureApi],
});
