import type { AccountService } from '../account/account.service.js';
import type { CustomerService } from '../owner/customer.service.js';
import type { ProgramCommands } from '../../platform/command/program-commands.js';
import { noun, resolver } from '../../platform/noun/noun.js';
import type { NounBase } from '../../platform/noun/noun-base.js';
import { Note } from './note.entity.js';
import { NOTE_EVENTS } from './note.events.js';
import { NoteRepository } from './note.repository.js';
import { NoteResolver } from './note.resolver.js';
import { NoteService } from './note.service.js';
import { noteRest } from './note.rest.js';

interface Needs {
  readonly accounts: AccountService;
  readonly customers: CustomerService;
  readonly programCommands: ProgramCommands;
}

export const noteNoun = noun({
  entities: [Note],
  events: NOTE_EVENTS,
  services: ({ database, keys, accounts, customers, programCommands }: NounBase & Needs) => ({
    notes: new NoteService(new NoteRepository(database, keys), accounts, customers, programCommands),
  }),
  resolvers: [resolver(NoteResolver, 'notes')],
  rest: () => [noteRest],
});
