// The same with the package `standardwebhooks`, which there is for many languages. It knows secrets (whsec_), and no
// public keys.

import { Webhook } from 'standardwebhooks';
import { serve } from './server.js';

const secret = process.env.WEBHOOK_KEY;
if (!secret) throw new Error('Set WEBHOOK_KEY to the secret that createWebhookEndpoint showed.');

const webhook = new Webhook(secret);
serve((headers, body) => webhook.verify(body.toString('utf8'), headers), Number(process.env.PORT ?? 3000));
