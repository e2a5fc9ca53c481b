import { noun, resolver, type CustomerService, type Database } from 'tillgate/noun';
import { TaxFiling, TaxFilingForm, TaxTransmission } from './tax-filing.entity.js';
import { TaxFilingService } from './tax-filing.service.js';
import { TaxPayeeResolver } from './tax-payee.resolver.js';
import { TaxYearResolver } from './tax-year.resolver.js';
import { TaxYearService } from './tax-year.service.js';
import { TAX_EVENTS } from './tax.events.js';
import { TaxFilingResolver } from './tax.resolver.js';
import { UnfiledForm } from './unfiled-form.entity.js';
import { taxRest } from './tax.rest.js';

interface Needs {
  readonly database: Database;
  readonly customers: CustomerService;
}
export interface Services {
  readonly taxFilings: TaxFilingService;
  readonly taxYears: TaxYearService;
}

/** What programs file with the IRS. The command line files, and what the API shows is read alone. */
export const taxNoun = noun<Needs>()({
  entities: [TaxFiling, TaxTransmission, TaxFilingForm, UnfiledForm],
  events: TAX_EVENTS,
  services: ({ database }): Services => ({
    taxFilings: new TaxFilingService(database),
    taxYears: new TaxYearService(database),
  }),
  resolvers: [
    resolver(TaxFilingResolver, (of: Services) => new TaxFilingResolver(of.taxFilings)),
    resolver(TaxYearResolver, (of: Services) => new TaxYearResolver(of.taxYears)),
    resolver(TaxPayeeResolver, (of: Needs) => new TaxPayeeResolver(of.customers)),
  ],
  rest: () => [taxRest],
  nodes: of => ({ TaxFiling: (caller, filingId = '') => of.taxFilings.find(caller, filingId) }),
});
