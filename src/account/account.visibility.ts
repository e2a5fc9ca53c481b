/**
 * Who sees an account: callers of its program, and of those that belong to one customer only its owners. This is the
 * only place that says so; every read and every lock of an account goes through it. `a` is the account in the query,
 * the arguments are SQL: a parameter or a column.
 */
export function visible(program: string, customerId: string | null): string {
  const ofProgram = `a.program = ${program}`;
  if (customerId === null) return ofProgram;
  return `${ofProgram} AND EXISTS (SELECT FROM account_owner v WHERE v.account_id = a.account_id AND v.customer_id = ${customerId})`;
}
