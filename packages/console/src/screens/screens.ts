// The screens of accounts and people are loaded together, when the first one is shown, and those of operations when one
// of them is: each in a file of its own, with what two of them share in others, would take 10 kB more (gzip).
export { Home } from './home/home.js';
export { Accounts } from './accounts/accounts.js';
export { AccountScreen } from './account/account.js';
export { Customers } from './customers/customers.js';
export { CustomerScreen } from './customer/customer.js';
export { Approvals } from './approvals/approvals.js';
export { ApprovalScreen } from './approvals/approval.js';
export { Changes } from './changes/changes.js';
export { ProgramTransactions } from './transactions/transactions.js';
