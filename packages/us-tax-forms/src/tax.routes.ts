import type { Router } from 'express';
import {
  PAGE_PARAMETERS,
  besidePage,
  callerOf,
  contractRecord,
  exactNumber,
  exactRouter,
  fieldNamesOf,
  noQuery,
  pageOf,
  pick,
  queryParametersOf as queryOf,
  readInput,
  refuseOtherMethods,
  valuesOf,
} from 'tillgate/noun';
import { TaxFiling, TaxFilingForm, type TaxFilingView } from './tax-filing.entity.js';
import type { TaxFilingService } from './tax-filing.service.js';
import { TaxPayee, TaxYear } from './tax-year.entity.js';
import type { TaxYearService } from './tax-year.service.js';
import { TaxYearNotFound } from './tax.errors.js';
import { TaxFilingFilter, TaxPayeeFilter, TaxReturnFilter } from './tax.inputs.js';
import { READ_TAX_FILINGS } from './tax.operations.js';

const FILING_FIELDS = fieldNamesOf(TaxFiling);
const RETURN_FIELDS = fieldNamesOf(TaxFilingForm);
const YEAR_FIELDS = fieldNamesOf(TaxYear);
const PAYEE_FIELDS = fieldNamesOf(TaxPayee);

/** The tax years of a program, and what was filed. */
export function taxRoutes(filings: TaxFilingService, years: TaxYearService): Router {
  const router = exactRouter();

  router.get('/tax-filings', async (req, res) => {
    const caller = callerOf(req);
    caller.require(READ_TAX_FILINGS);
    const query = queryOf(req, [...PAGE_PARAMETERS, 'taxYear']);
    const request = pageOf(query);
    const filter = valuesOf(query, ['taxYear'], { numbers: ['taxYear'] });
    const { taxYear = null } = readInput(TaxFilingFilter, filter);
    const page = await filings.page(caller, taxYear, request);
    const taxFilings = page.items.map(filing => filingToRest(filing));
    const filters = { taxYear: query.get('taxYear') };
    res.json({ taxFilings, ...besidePage('/tax-filings', request, page.total, filters) });
  });

  router.get('/tax-filings/:filingId', noQuery, async (req, res) => {
    res.json(filingToRest(await filings.get(callerOf(req), req.params.filingId)));
  });

  router.get('/tax-filings/:filingId/returns', async (req, res) => {
    const caller = callerOf(req);
    caller.require(READ_TAX_FILINGS);
    const query = queryOf(req, [...PAGE_PARAMETERS, 'state']);
    const request = pageOf(query);
    const { state = null } = readInput(TaxReturnFilter, valuesOf(query, ['state']));
    const id = req.params.filingId.toLowerCase();
    const page = await filings.returnPage(caller, id, state, request);
    const returns = page.items.map(one => ({
      ...contractRecord(pick(one, RETURN_FIELDS)),
      interest: exactNumber(one.interest),
    }));
    res.json({
      returns,
      ...besidePage(`/tax-filings/${id}/returns`, request, page.total, { state: query.get('state') }),
    });
  });

  router.get('/tax-years/:taxYear', noQuery, async (req, res) => {
    const caller = callerOf(req);
    caller.require(READ_TAX_FILINGS);
    res.json(contractRecord(pick(await years.get(caller, yearOf(req.params.taxYear)), YEAR_FIELDS)));
  });

  router.get('/tax-years/:taxYear/payees', async (req, res) => {
    const caller = callerOf(req);
    caller.require(READ_TAX_FILINGS);
    const query = queryOf(req, [...PAGE_PARAMETERS, 'list']);
    const request = pageOf(query);
    const taxYear = yearOf(req.params.taxYear);
    const { list } = readInput(TaxPayeeFilter, valuesOf(query, ['list']));
    const page = await years.payeePage(caller, taxYear, list, request);
    const payees = page.items.map(payee => ({
      ...contractRecord(pick(payee, PAYEE_FIELDS)),
      interest: payee.interest === null ? '' : exactNumber(payee.interest),
    }));
    const filters = { list: query.get('list') };
    res.json({ payees, ...besidePage(`/tax-years/${taxYear}/payees`, request, page.total, filters) });
  });

  return refuseOtherMethods(router);
}

/** Amounts are JSON numbers with all their digits. */
function filingToRest(filing: TaxFilingView): object {
  const { interest, federalTaxWithheld } = filing;
  const amounts = { interest: exactNumber(interest), federalTaxWithheld: exactNumber(federalTaxWithheld) };
  return { ...contractRecord(pick(filing, FILING_FIELDS)), ...amounts };
}

function yearOf(text: string): number {
  if (!/^(19|2\d)\d\d$/.test(text)) throw new TaxYearNotFound();
  return Number(text);
}
