// Receives webhooks without packages. WEBHOOK_KEY is the secret of the endpoint (whsec_), or its public key (whpk_).

import { serve } from './server.js';
import { verify } from './verify.js';

const key = process.env.WEBHOOK_KEY;
if (!key) throw new Error('Set WEBHOOK_KEY to the secret that createWebhookEndpoint showed.');

serve((headers, body) => verify(headers, body, key), Number(process.env.PORT ?? 3000));
