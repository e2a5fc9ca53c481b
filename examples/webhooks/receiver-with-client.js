// Receives webhooks with @tillgate/client, which knows secrets (whsec_) and public keys (whpk_), and several of them
// while one is replaced.

import { verifyWebhook } from '@tillgate/client/webhooks';
import { serve } from './server.js';

const secrets = process.env.WEBHOOK_KEY?.split(' ');
if (!secrets) throw new Error('Set WEBHOOK_KEY to the secret that createWebhookEndpoint showed, or to its publicKey.');

serve((headers, body) => verifyWebhook({ headers, body, secrets }), Number(process.env.PORT ?? 3000));
