import type { Denial } from '../../platform/command/denial.js';
import type { ForeignIds } from '../../platform/command/foreign-ids.js';
import type { ProgramCommands } from '../../platform/command/program-commands.js';
import type { ImportKind } from '../../platform/import/batch.js';
import { noun, resolver } from '../../platform/noun/noun.js';
import { IMPORT_EVENTS } from './import.events.js';
import { ImportResolver } from './import.resolver.js';
import { ImportService } from './import.service.js';
import { importRest } from './import.rest.js';

interface Needs {
  /** The rules of the records with this name, which their noun has. */
  readonly importKind: (name: string, overTheApi: boolean) => Promise<ImportKind>;
  readonly programCommands: ProgramCommands;
  readonly foreignIds: ForeignIds;
  readonly deny: (denial: Denial) => void;
}
export interface Services {
  readonly imports: ImportService;
}

export const importNoun = noun<Needs>()({
  events: IMPORT_EVENTS,
  services: ({ importKind, programCommands, foreignIds, deny }): Services => ({
    imports: new ImportService(programCommands, name => importKind(name, true), foreignIds, deny),
  }),
  resolvers: [resolver(ImportResolver, (of: Services) => new ImportResolver(of.imports))],
  rest: () => [importRest],
});
