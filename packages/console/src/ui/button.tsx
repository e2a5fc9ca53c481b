import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.js';

type Kind = 'primary' | 'plain' | 'danger' | 'quiet';

interface ButtonProps extends Omit<ButtonHTMLAttributes, 'icon' | 'class' | 'size'> {
  readonly kind?: Kind;
  readonly isSmall?: boolean;
  readonly icon?: IconName;
  /** While it works it keeps the focus and does nothing. */
  readonly isBusy?: boolean;
  readonly children?: ComponentChildren;
}

export function Button({ kind = 'plain', isSmall, icon, isBusy, children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      class={classOf(kind, isSmall)}
      aria-disabled={isBusy ? 'true' : undefined}
      onClick={isBusy ? event => event.preventDefault() : onClick}
    >
      {isBusy ? <span class="spinner" /> : icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

interface ButtonLinkProps {
  readonly href: string;
  readonly kind?: Kind;
  readonly isSmall?: boolean;
  readonly icon?: IconName;
  /** The browser keeps what is there as a file. */
  readonly isDownload?: boolean;
  /** The name for screen readers, where several links have the same words. */
  readonly label?: string;
  readonly children: ComponentChildren;
}

/** A link that looks like a button: it goes somewhere, and changes nothing. */
export function ButtonLink({ href, kind = 'plain', isSmall, icon, isDownload, label, children }: ButtonLinkProps) {
  return (
    <a class={classOf(kind, isSmall)} href={href} download={isDownload} aria-label={label}>
      {icon && <Icon name={icon} />}
      {children}
    </a>
  );
}

function classOf(kind: Kind, isSmall = false): string {
  return ['button', kind !== 'plain' && kind, isSmall && 'small'].filter(Boolean).join(' ');
}
