// The screens of what is done for the whole program, which are loaded together: see screens.ts.
export { Runs } from './runs/runs.js';
export { RunScreen } from './runs/run.js';
export { Tax } from './tax/tax.js';
export { FilingScreen } from './tax/filing.js';
export { Webhooks } from './webhooks/webhooks.js';
export { EndpointScreen } from './webhooks/endpoint.js';
export { DeliveryScreen } from './webhooks/delivery.js';
export { Requests } from './requests/requests.js';
export { RequestScreen } from './requests/request.js';
export { Imports } from './imports/imports.js';
export { Settings } from './settings/settings.js';
export { Sandbox } from './sandbox/sandbox.js';
