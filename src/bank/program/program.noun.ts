import type { ProgramCommands } from '../../platform/command/program-commands.js';
import { noun, resolver } from '../../platform/noun/noun.js';
import type { NounBase } from '../../platform/noun/noun-base.js';
import { AccountProgramResolver } from './account-program.resolver.js';
import { Program } from './program.entity.js';
import { PROGRAM_EVENTS } from './program.events.js';
import { ProgramRepository } from './program.repository.js';
import { ProgramResolver } from './program.resolver.js';
import { ProgramService } from './program.service.js';
import { programRest } from './program.rest.js';

interface Needs {
  readonly programCommands: ProgramCommands;
}

export const programNoun = noun({
  entities: [Program],
  events: PROGRAM_EVENTS,
  services: ({ database, keys, programCommands }: NounBase & Needs) => ({
    programs: new ProgramService(new ProgramRepository(database, keys), programCommands),
  }),
  resolvers: [resolver(ProgramResolver, 'programs'), resolver(AccountProgramResolver, 'programs')],
  rest: () => [programRest],
  nodes: of => ({ Program: caller => of.programs.find(caller) }),
  imports: {
    programs: async (of, overTheApi) =>
      (await import('./program.import.js')).programImport(of.programs.repository, overTheApi),
  },
});
