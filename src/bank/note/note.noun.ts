import type { AccountService } from '../account/account.service.js';
import type { CustomerService } from '../owner/customer.service.js';
import type { ProgramCommands } from '../../platform/command/program-commands.js';
import type { KeyRing } from '../../platform/crypto/key-ring.js';
import type { Database } from '../../platform/database/orm.js';
import { noun, resolver } from '../../platform/noun/noun.js';
import { Note } from './note.entity.js';
import { NOTE_EVENTS } from './note.events.js';
import { NoteRepository } from './note.repository.js';
import { NoteResolver } from './note.resolver.js';
import { NoteService } from './note.service.js';
import { noteRest } from './note.rest.js';

interface Needs {
  readonly database: Database;
  readonly keys: KeyRing;
  readonly accounts: AccountService;
  readonly customers: CustomerService;
  readonly programCommands: ProgramCommands;
}
export interface Services {
  readonly notes: NoteService;
}

export const noteNoun = noun<Needs>()({
  entities: [Note],
  events: NOTE_EVENTS,
  services: ({ database, keys, accounts, customers, programCommands }): Services => ({
    notes: new NoteService(new NoteRepository(database, keys), accounts, customers, programCommands),
  }),
  resolvers: [resolver(NoteResolver, (of: Services) => new NoteResolver(of.notes))],
  rest: () => [noteRest],
});
