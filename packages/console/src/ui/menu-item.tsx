import { useId } from 'preact/hooks';
import { Button } from './button.js';

interface MenuItemProps {
  readonly label: string;
  /** The explanation for whoever has not done it before. */
  readonly about: string;
  readonly isDangerous?: boolean;
  readonly onClick: () => void;
}

/** An action in a menu with a line that says what it does. What cannot be taken back is red. */
export function MenuItem({ label, about, isDangerous, onClick }: MenuItemProps) {
  const id = useId();
  return (
    <Button kind={isDangerous ? 'danger' : 'plain'} aria-describedby={id} onClick={onClick}>
      <span class="menu-item">
        {label}
        <span class="soft small" id={id} aria-hidden="true">
          {about}
        </span>
      </span>
    </Button>
  );
}
