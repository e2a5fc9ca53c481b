import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Button } from './button.js';

interface DialogProps {
  readonly title: string;
  readonly size?: 'wide' | 'large' | 'side';
  /** While something runs the dialog stays, so that its answer is seen. */
  readonly isBusy?: boolean;
  readonly onClose: () => void;
  /** Sends the form by Enter or by a button of type submit in `foot`. Without it the dialog is no form. */
  readonly onSubmit?: () => void;
  readonly foot?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A modal dialog: the browser keeps the focus in it, closes it by Escape, and gives the focus back. */
export function Dialog({ title, size, isBusy = false, onClose, onSubmit, foot, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const isGone = useRef(false);
  const id = useId();
  useEffect(() => {
    const dialog = element.current;
    const opener = document.activeElement;
    dialog?.showModal();
    return () => {
      isGone.current = true;
      dialog?.close();
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
      else document.querySelector<HTMLElement>('main h1')?.focus();
    };
  }, []);
  const body = (
    <>
      <div class="dialog-head">
        <h2 id={id}>{title}</h2>
        <Button kind="quiet" isSmall icon="close" aria-label="Close" onClick={onClose} isBusy={isBusy} />
      </div>
      <div class="dialog-main">{children}</div>
      {foot && <div class="dialog-foot">{foot}</div>}
    </>
  );
  return (
    <dialog
      ref={element}
      class={`dialog ${size ?? ''}`}
      aria-labelledby={id}
      onCancel={event => {
        event.preventDefault();
        if (!isBusy) onClose();
      }}
      // Browsers close it at the second Escape, whatever is said to the first.
      onClose={() => !isGone.current && onClose()}
      onClick={event => event.target === event.currentTarget && !isBusy && onClose()}
    >
      {onSubmit ? (
        <form
          class="dialog-body"
          onSubmit={event => {
            event.preventDefault();
            if (!isBusy) onSubmit();
          }}
        >
          {body}
        </form>
      ) : (
        <div class="dialog-body">{body}</div>
      )}
    </dialog>
  );
}
