// Receives webhooks without packages. WEBHOOK_KEY is the secret of the endpoint (whsec_), or its public key (whpk_).

import { serve } from './server.js';
import { readKey, verify } from './verify.js';

const text = process.env.WEBHOOK_KEY;
if (!text) throw new Error('Set WEBHOOK_KEY to the secret that createWebhookEndpoint showed, or to its publicKey.');

const key = await readKey(text);
serve((headers, body) => verify(headers, body, key), Number(process.env.PORT ?? 3000));
