import type { Approval } from '../generated/rest.js';
import type { Listing } from '../listing.js';
import type { Filters, Rest } from '../rest.js';
import type { CallOptions, WriteOptions } from '../transport.js';

/**
 * Requests that wait for another person. A write that must wait throws `ApprovalRequired`, whose `details.approvalId`
 * is one of these.
 */
export class Approvals {
  constructor(private readonly rest: Rest) {}

  list(filters?: Filters<'GET /approvals'>, options?: CallOptions): Listing<Approval> {
    return this.rest.list('GET /approvals', { query: { ...filters }, ...options }, page => page.approvals);
  }

  get(approvalId: string, options?: CallOptions): Promise<Approval> {
    return this.rest.call('GET /approvals/{approvalId}', { path: { approvalId }, ...options });
  }

  approve(approvalId: string, options?: WriteOptions): Promise<Approval> {
    return this.rest.call('POST /approvals/{approvalId}/approve', { path: { approvalId }, ...options });
  }

  reject(approvalId: string, reason: string, options?: WriteOptions): Promise<Approval> {
    return this.rest.call('POST /approvals/{approvalId}/reject', {
      path: { approvalId },
      body: { reason },
      ...options,
    });
  }
}
