import { pdfOf } from '../../support/statement.js';
import type { Canaries } from './canaries.js';
import type { CanaryGateway } from './house.js';
import type { CanaryRecords } from './records.js';

/** The statements of partners: whole documents, which hold whatever the partner wrote into them. */
export async function addStatements(
  house: CanaryGateway,
  canaries: Canaries,
  { account }: CanaryRecords,
): Promise<void> {
  const token = await house.caller();
  const pdf = (sentBy: string) => {
    const { taxId, email, phone, governmentId } = canaries.person('stray', `${sentBy} of a statement`);
    return pdfOf(`${taxId} ${email} ${phone} ${governmentId}`);
  };
  const headers = { 'content-type': 'application/pdf' };
  const path = `/accounts/${account}/statements?statementDate=2026-05-31`;
  await house.ask(token, { method: 'POST', path, headers, body: pdf('REST add') });
  const query = `mutation ($account: ID!, $input: StatementInput!) { addStatement(input: { accountId: $account, statement: $input }) { statement { statementId } } }`;
  const input = { statementDate: '2026-04-30', document: pdf('GraphQL add').toString('base64') };
  await house.ask(token, { method: 'POST', path: '/graphql', body: { query, variables: { account, input } } });
}
