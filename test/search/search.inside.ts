import type { Gateway } from '../../src/app/gateway.js';
import { contactDigests } from '../../src/bank/owner/contact-forms.js';

/** The digest by which customers with an e-mail address are found. */
export function emailDigest({ container }: Gateway, email: string): string | null {
  return contactDigests(container.keys, { contact: { email: [email], telephones: [] } });
}
