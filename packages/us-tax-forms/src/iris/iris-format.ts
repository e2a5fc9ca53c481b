import { InvalidInput } from 'tillgate/noun';

/** The format of the returns of a tax year: names, order and limits, which the IRS changes each year. */
export interface IrisFormat {
  readonly taxYear: number;
  /** Where it is from. */
  readonly source: string;
  readonly namespace: string;
  readonly schemaVersion: string;
  readonly formType: string;
  readonly parentFormType: string;
  readonly detail: {
    readonly element: string;
    readonly totals: string;
    /** Elements of amounts in their order, each with its box. */
    readonly boxes: readonly (readonly [element: string, box: number])[];
    readonly totalsOrder: readonly string[];
    /** The boxes whose sum is `TotalReportedAmt`. */
    readonly totalReported: readonly number[];
    /** The elements of a state: the group, its code, the group of its tax, the payer's number, the tax withheld. */
    readonly state: readonly [string, string, string, string, string];
  };
  readonly limits: {
    readonly personName: number;
    readonly businessName: number;
    readonly addressLine: number;
    readonly city: number;
    readonly foreignCity: number;
    readonly province: number;
    readonly foreignPostalCode: number;
    readonly accountNumber: number;
    readonly stateId: number;
    readonly partBytes: number;
    readonly portalForms: number;
  };
  readonly portal: {
    readonly source: string;
    /** The contents of the columns of the template, by their heads. */
    readonly columns: Readonly<Record<string, string>>;
    readonly leftEmpty: readonly string[];
  };
  /** The codes of countries of the IRS (FIPS 10-4) by those of ISO 3166. */
  readonly countries: Readonly<Record<string, string>>;
}

// A static import would lose its attribute where tests compile it.
const { default: of2026 } = (await import('./2026.json', { with: { type: 'json' } })) as { readonly default: unknown };

/** The years whose returns can be made, each with a file beside this one. */
const FORMATS: Readonly<Record<number, IrisFormat>> = { 2026: of2026 as IrisFormat };

/** Throws `InvalidInput` for a year that has no format yet. */
export function irisFormatOf(taxYear: number): IrisFormat {
  const format = FORMATS[taxYear];
  if (format) return format;
  const years = Object.keys(FORMATS).join(', ');
  const detail = `The format of the returns of this year is not known. Known are those of ${years}.`;
  throw new InvalidInput('rule_broken', [{ pointer: '/taxYear', code: 'range', detail }]);
}
