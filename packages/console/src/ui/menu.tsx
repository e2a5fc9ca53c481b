import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Button } from './button.js';
import { Popover } from './popover.js';

/** Buttons that appear beside a button with three dots. `label` names what they are about: `card 4242`. */
export function Menu({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  const id = useId();
  return (
    <>
      <Button kind="quiet" isSmall icon="more" aria-label={`Actions for ${label}`} popovertarget={id} />
      <Popover id={id} isKept>
        {close => (
          <div class="menu" onClick={close}>
            {children}
          </div>
        )}
      </Popover>
    </>
  );
}
