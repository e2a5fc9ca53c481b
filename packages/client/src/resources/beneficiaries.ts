import type { Beneficiary, BeneficiaryChange, NewBeneficiaryRecord, BeneficiaryListItem } from '../generated/rest.js';
import type { Listing } from '../listing.js';
import type { Rest } from '../rest.js';
import type { CallOptions, WriteOptions } from '../transport.js';

export class Beneficiaries {
  constructor(private readonly rest: Rest) {}

  list(accountId: string, options?: CallOptions): Listing<BeneficiaryListItem> {
    const call = { path: { accountId }, ...options };
    return this.rest.list('GET /accounts/{accountId}/beneficiaries', call, page => page.accountBeneficiaries);
  }

  get(accountId: string, beneficiaryId: string, options?: CallOptions): Promise<Beneficiary> {
    const path = { accountId, beneficiaryId };
    return this.rest.call('GET /accounts/{accountId}/beneficiaries/{beneficiaryId}', { path, ...options });
  }

  add(accountId: string, beneficiary: NewBeneficiaryRecord, options?: WriteOptions): Promise<Beneficiary> {
    const call = { path: { accountId }, body: beneficiary, ...options };
    return this.rest.call('POST /accounts/{accountId}/beneficiaries', call);
  }

  /** A merge patch: what is absent stays, null clears, lists replace. */
  update(
    accountId: string,
    beneficiaryId: string,
    patch: BeneficiaryChange,
    options?: WriteOptions,
  ): Promise<Beneficiary> {
    const call = { path: { accountId, beneficiaryId }, body: patch, ...options };
    return this.rest.call('PATCH /accounts/{accountId}/beneficiaries/{beneficiaryId}', call);
  }

  delete(accountId: string, beneficiaryId: string, options?: WriteOptions): Promise<Beneficiary> {
    const path = { accountId, beneficiaryId };
    return this.rest.call('DELETE /accounts/{accountId}/beneficiaries/{beneficiaryId}', { path, ...options });
  }
}
