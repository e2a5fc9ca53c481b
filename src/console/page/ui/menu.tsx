import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { Button } from './button.js';

const GAP_PX = 4;

/** Buttons that appear beside a button with three dots. `label` names what they are about: `card 4242`. */
export function Menu({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  const id = useId();
  const popover = useRef<HTMLDivElement>(null);
  const place = (open: Event): void => {
    const element = popover.current;
    if (!element || (open as ToggleEvent).newState !== 'open') return;
    const anchor = document.querySelector(`[popovertarget="${id}"]`)?.getBoundingClientRect();
    if (!anchor) return;
    const { offsetWidth, offsetHeight } = element;
    const below = anchor.bottom + GAP_PX;
    const fits = below + offsetHeight <= innerHeight;
    element.style.top = `${fits ? below : Math.max(GAP_PX, anchor.top - GAP_PX - offsetHeight)}px`;
    element.style.left = `${Math.max(GAP_PX, anchor.right - offsetWidth)}px`;
  };
  return (
    <>
      <Button kind="quiet" isSmall icon="more" aria-label={`Actions for ${label}`} popovertarget={id} />
      <div
        class="popover"
        id={id}
        ref={popover}
        popover="auto"
        onToggle={place}
        onClick={() => popover.current?.hidePopover()}
      >
        {children}
      </div>
    </>
  );
}
