import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

const GAP_PX = 4;
/** Where there is less space it stands at the lower end of the screen, within reach of a thumb. */
const NARROW = '(width < 40rem)';

interface PopoverProps {
  /** The button that opens it has this as `popovertarget`. */
  readonly id: string;
  /** Names it for screen readers where it is more than some buttons. */
  readonly label?: string;
  /** True if its content is there while it is closed as well. */
  readonly isKept?: boolean;
  readonly children: (close: () => void) => ComponentChildren;
}

/** Shows its content beside its button, and hides it by Escape, by a press elsewhere or by `close`. */
export function Popover({ id, label, isKept, children }: PopoverProps) {
  const box = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (isOpen && box.current) place(id, box.current);
  });
  return (
    <div
      {...{ id }}
      class="popover"
      ref={box}
      popover="auto"
      role={label ? 'group' : undefined}
      aria-label={label}
      onToggle={event => setOpen(event.newState === 'open')}
    >
      {(isOpen || isKept) && children(() => box.current?.hidePopover())}
    </div>
  );
}

function place(id: string, { style, offsetWidth, offsetHeight }: HTMLElement): void {
  if (matchMedia(NARROW).matches) {
    style.top = style.left = '';
    return;
  }
  const anchor = document.querySelector(`[popovertarget="${id}"]`)?.getBoundingClientRect();
  if (!anchor) return;
  const below = anchor.bottom + GAP_PX;
  const fits = below + offsetHeight <= innerHeight;
  const left = anchor.left + offsetWidth <= innerWidth - GAP_PX ? anchor.left : anchor.right - offsetWidth;
  style.top = `${fits ? below : Math.max(GAP_PX, anchor.top - GAP_PX - offsetHeight)}px`;
  style.left = `${Math.max(GAP_PX, left)}px`;
}
