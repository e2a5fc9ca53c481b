import {
  noun,
  resolver,
  type CustomerService,
  type OwnerService,
  type ProgramCommands,
  type NounBase,
} from 'tillgate/noun';
import { DATA_SUBJECT_EVENTS } from './data-subject.events.js';
import { ErasureResolver } from './erasure.resolver.js';
import { ErasureService } from './erasure.service.js';
import { RetentionService } from './retention.service.js';
import { sweepRetention } from './retention.sweep.js';
import { SubjectExportService, type ExportedServices } from './subject-export.service.js';
import { erasureRest } from './erasure.rest.js';
import { CreateRetention } from './retention.migrations.js';
import { ERASURE_PROBLEMS } from './erasure.errors.js';

interface Needs extends ExportedServices {
  readonly programCommands: ProgramCommands;
  readonly customers: CustomerService;
  readonly owners: OwnerService;
}

/** Serves what people may ask for about their data. It knows every noun that keeps something about a customer. */
export const dataSubjectNoun = noun({
  problems: ERASURE_PROBLEMS,
  migrations: [{ name: 'data-subject/1-retention', class: CreateRetention }],
  events: DATA_SUBJECT_EVENTS,
  services: ({ programCommands, ...of }: NounBase & Needs) => {
    const erasures = new ErasureService(of.customers, of.cards, of.notes, programCommands);
    return {
      erasures,
      subjectExports: new SubjectExportService(of, programCommands),
      retention: new RetentionService(of.database, erasures),
    };
  },
  resolvers: [resolver(ErasureResolver, 'erasures')],
  rest: () => [erasureRest],
  jobs: async (of, { log }) => [sweepRetention(of.retention, log)],
});
