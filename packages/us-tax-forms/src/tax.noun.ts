import { extname } from 'node:path';
import { noun, resolver, type CustomerService, type NounBase } from 'tillgate/noun';
import { TaxFiling, TaxFilingForm, TaxTransmission } from './tax-filing.entity.js';
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
}

/** Files returns of programs with the IRS. The command line files, and what the API shows is read alone. */
export const taxNoun = noun({
  problems: TAX_PROBLEMS,
  migrations: [{ name: 'us-tax-forms/1-tables', class: CreateTaxFilings }],
  entities: [TaxFiling, TaxTransmission, TaxFilingForm, UnfiledForm],
  events: TAX_EVENTS,
  layouts: { TAX_1099: new URL(`./layout/tax-form.layout${extname(import.meta.url)}`, import.meta.url) },
  services: ({ database }: NounBase & Needs) => ({
    taxFilings: new TaxFilingService(database),
    taxYears: new TaxYearService(database),
  }),
  resolvers: [
    resolver(TaxFilingResolver, 'taxFilings'),
    resolver(TaxYearResolver, 'taxYears'),
    resolver(TaxPayeeResolver, 'customers'),
  ],
  rest: () => [taxRest],
  nodes: of => ({ TaxFiling: (caller, filingId = '') => of.taxFilings.find(caller, filingId) }),
});
