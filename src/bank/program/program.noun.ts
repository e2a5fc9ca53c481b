import type { ProgramCommands } from '../../platform/command/program-commands.js';
import type { KeyRing } from '../../platform/crypto/key-ring.js';
import type { Database } from '../../platform/database/orm.js';
import { noun, resolver } from '../../platform/noun/noun.js';
import { AccountProgramResolver } from './account-program.resolver.js';
import { Program } from './program.entity.js';
import { PROGRAM_EVENTS } from './program.events.js';
import { ProgramRepository } from './program.repository.js';
import { ProgramResolver } from './program.resolver.js';
import { ProgramService } from './program.service.js';
import { programRest } from './program.rest.js';

interface Needs {
  readonly database: Database;
  readonly keys: KeyRing;
  readonly programCommands: ProgramCommands;
}
export interface Services {
  readonly programs: ProgramService;
}

export const programNoun = noun<Needs>()({
  entities: [Program],
  events: PROGRAM_EVENTS,
  services: ({ database, keys, programCommands }): Services => ({
    programs: new ProgramService(new ProgramRepository(database, keys), programCommands),
  }),
  resolvers: [
    resolver(ProgramResolver, (of: Services) => new ProgramResolver(of.programs)),
    resolver(AccountProgramResolver, (of: Services) => new AccountProgramResolver(of.programs)),
  ],
  rest: () => [programRest],
  nodes: of => ({ Program: caller => of.programs.find(caller) }),
  imports: {
    programs: async (of, overTheApi) =>
      (await import('./program.import.js')).programImport(of.programs.repository, overTheApi),
  },
});
