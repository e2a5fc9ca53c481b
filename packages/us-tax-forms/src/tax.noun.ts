import { extname } from 'node:path';
import {
  noun,
  resolver,
  type CustomerService,
  type NounBase,
  type ProgramCommands,
  type ProgramService,
  type TaxFormService,
} from 'tillgate/noun';
import { writeFilings } from './filing/write-filings.js';
import { FILING_TASK, TaxFilingCommands, type StartedFilings } from './tax-filing.commands.js';
import { TaxFiling, TaxFilingForm, TaxTransmission } from './tax-filing.entity.js';
import { TaxFilingRepository } from './tax-filing.repository.js';
import { TaxFilingService } from './tax-filing.service.js';
import { TaxPayeeResolver } from './tax-payee.resolver.js';
import { TaxYearResolver } from './tax-year.resolver.js';
import { TaxYearService } from './tax-year.service.js';
import { TAX_EVENTS } from './tax.events.js';
import { TaxFilingResolver } from './tax.resolver.js';
import { UnfiledForm } from './unfiled-form.entity.js';
import { taxRest } from './tax.rest.js';
import { CreateTaxFilings } from './tax.migrations.js';
import { TAX_PROBLEMS } from './tax.errors.js';

interface Needs {
  readonly customers: CustomerService;
  readonly programCommands: ProgramCommands;
  readonly programs: ProgramService;
  readonly taxForms: TaxFormService;
}

/** Files returns of programs with the IRS. */
export const taxNoun = noun({
  problems: TAX_PROBLEMS,
  migrations: [{ name: 'us-tax-forms/1-tables', class: CreateTaxFilings }],
  entities: [TaxFiling, TaxTransmission, TaxFilingForm, UnfiledForm],
  events: TAX_EVENTS,
  layouts: { TAX_1099: new URL(`./layout/tax-form.layout${extname(import.meta.url)}`, import.meta.url) },
  services: ({ database, keys, programCommands, programs, taxForms }: NounBase & Needs) => {
    const filings = new TaxFilingRepository(database, keys);
    const commands = new TaxFilingCommands(filings, programCommands, programs);
    return {
      taxFilings: new TaxFilingService(database, filings, commands, taxForms),
      taxYears: new TaxYearService(database),
    };
  },
  resolvers: [
    resolver(TaxFilingResolver, 'taxFilings'),
    resolver(TaxYearResolver, 'taxYears'),
    resolver(TaxPayeeResolver, 'customers'),
  ],
  rest: () => [taxRest],
  tasks: ({ database, taxForms, taxFilings: { repository: filings } }) => ({
    [FILING_TASK]: (order, { abortSignal }) =>
      writeFilings({ database, taxForms, filings }, (order as StartedFilings).filingIds, abortSignal),
  }),
  nodes: of => ({ TaxFiling: (caller, filingId = '') => of.taxFilings.find(caller, filingId) }),
});
