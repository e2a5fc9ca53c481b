// The screens of the back office are loaded together: each in files of its own, with what two of them share in others, they
// would take 10 kB more.
export { Approvals } from './approvals/approvals.js';
export { ApprovalScreen } from './approvals/approval.js';
export { Runs } from './runs/runs.js';
export { RunScreen } from './runs/run.js';
export { Webhooks } from './webhooks/webhooks.js';
export { EndpointScreen } from './webhooks/endpoint.js';
export { DeliveryScreen } from './webhooks/delivery.js';
export { Imports } from './imports/imports.js';
export { Changes } from './history/changes.js';
export { ProgramTransactions } from './history/transactions.js';
export { Sandbox } from './sandbox/sandbox.js';
