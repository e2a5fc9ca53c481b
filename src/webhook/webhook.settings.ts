/** What deliveries may reach. */
export interface WebhookSettings {
  /** Whether endpoints may be on this machine, also without TLS. */
  readonly allowLoopback: boolean;
}

interface Reader {
  choice<T extends string>(name: string, choices: readonly T[], fallback: T): T;
  refuse(name: string, problem: string): void;
}

export function readWebhookSettings(settings: Reader, production: boolean): WebhookSettings {
  const allowLoopback = settings.choice('WEBHOOK_ALLOW_LOOPBACK', ['true', 'false'], 'false') === 'true';
  if (allowLoopback && production) {
    settings.refuse(
      'WEBHOOK_ALLOW_LOOPBACK',
      'is true, and webhooks to this machine are refused in production. Unset it.',
    );
  }
  return { allowLoopback };
}
