import type { WebhookSigning } from '../../generated/graphql.js';
import { Button } from '../../ui/button.js';
import { Copy } from '../../ui/copy.js';
import { Dialog } from '../../ui/dialog.js';

export interface NewSecret {
  readonly endpoint: {
    readonly endpointId: string;
    readonly signing: WebhookSigning;
    readonly publicKey?: string | null;
  };
  /** Null where the receiver needs the public key alone. */
  readonly secret?: string | null;
}

interface ShownSecretProps {
  readonly title: string;
  readonly of: NewSecret;
  readonly onClose: () => void;
}

/** A secret is shown once. Without a copy of it, another one must be made. */
export function ShownSecret({ title, of: { endpoint, secret }, onClose }: ShownSecretProps) {
  const text = secret ?? endpoint.publicKey ?? '';
  const label = secret == null ? 'public key' : 'secret';
  return (
    <Dialog
      title={title}
      onClose={onClose}
      foot={
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <p>
        {secret == null
          ? 'Give this public key to the receiver, which checks the signatures with it. It can be read here at any time.'
          : 'Give this secret to the receiver, which checks the signatures with it. It is shown only now: copy it before you close this.'}
      </p>
      <div class="secret">
        <code>{text}</code>
        <Copy text={text} label={label} />
      </div>
    </Dialog>
  );
}
