import { restCode } from '../../support/answers.js';
import type { TestGateway } from '../../support/gateway.js';
import type { GivenAccount } from '../../support/given.js';

export const PDF = { 'content-type': 'application/pdf' };
export const ADD = `mutation ($account: ID!, $input: StatementInput!) { addStatement(input: { accountId: $account, statement: $input }) { statement {
  statementId accountId description documentType source statementDate issuedAt correctsStatementId sizeBytes sha256 downloadPath } } }`;

export interface Upload {
  readonly statementDate?: string;
  readonly description?: string;
  readonly document: Buffer;
  readonly headers?: Record<string, string>;
}

/** The outcome of an upload, over REST or GraphQL. */
export interface Outcome {
  readonly status: number;
  readonly code: string | undefined;
  readonly errors: readonly { pointer: string; code: string; detail: string }[] | undefined;
  readonly path: string | undefined;
  readonly replayed: boolean;
  readonly text: string;
}

export type UploadTarget = Pick<GivenAccount, 'account' | 'caller'>;
export type UploadCall = (to: UploadTarget, upload: Upload) => Promise<Outcome>;

export type UploadApi = 'REST' | 'GraphQL';
export type UploadCalls = Readonly<Record<UploadApi, UploadCall>>;
export const BOTH: readonly UploadApi[] = ['REST', 'GraphQL'];

/** Uploads over REST and GraphQL. */
export function uploadsOf(gateway: TestGateway): UploadCalls {
  return {
    async REST({ account, caller }, { document, headers, ...details }) {
      const query = new URLSearchParams(JSON.parse(JSON.stringify(details)) as Record<string, string>);
      const path = `/accounts/${encodeURIComponent(account)}/statements?${query.toString()}`;
      const answer = await gateway
        .as(caller)
        .raw({ method: 'POST', path, headers: { ...PDF, ...headers }, body: document });
      const { code, errors } = answer.body;
      const replayed = answer.headers['idempotent-replayed'] === 'true';
      return { status: answer.status, code, errors, path: answer.headers.location, replayed, text: answer.text };
    },
    async GraphQL({ account, caller }, { document, headers = {}, ...details }) {
      const input = { ...details, document: document.toString('base64') };
      const answer = await gateway.as(caller).graphql(ADD, { account, input }, { headers });
      const { code, errors } = answer.errors?.[0].extensions ?? {};
      const replayed = answer.headers['idempotent-replayed'] === 'true';
      const path = answer.data?.addStatement?.statement.downloadPath;
      return { status: answer.status, code: restCode(code), errors, path, replayed, text: answer.text };
    },
  };
}
