import type { Denial } from '../../platform/command/denial.js';
import type { ForeignIds } from '../../platform/command/foreign-ids.js';
import type { ProgramCommands } from '../../platform/command/program-commands.js';
import { noun, resolver } from '../../platform/noun/noun.js';
import type { NounBase } from '../../platform/noun/noun-base.js';
import { IMPORT_EVENTS } from './import.events.js';
import { ImportResolver } from './import.resolver.js';
import { ImportService } from './import.service.js';
import { importRest } from './import.rest.js';

interface Needs {
  readonly programCommands: ProgramCommands;
  readonly foreignIds: ForeignIds;
  readonly deny: (denial: Denial) => void;
}

export const importNoun = noun({
  events: IMPORT_EVENTS,
  services: ({ importKind, programCommands, foreignIds, deny }: NounBase & Needs) => ({
    imports: new ImportService(programCommands, name => importKind(name, true), foreignIds, deny),
  }),
  resolvers: [resolver(ImportResolver, 'imports')],
  rest: () => [importRest],
});
