import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface CardProps {
  readonly title: string;
  /** Buttons at the right of the title. */
  readonly actions?: ComponentChildren;
  /** A list or a table brings its own space around it. */
  readonly isFlush?: boolean;
  readonly children: ComponentChildren;
}

/** A part of a screen with a heading. */
export function Card({ title, actions, isFlush, children }: CardProps) {
  const id = useId();
  return (
    <section class="card" aria-labelledby={id}>
      <div class={actions ? 'card-head' : 'card-head lone'}>
        <h2 id={id}>{title}</h2>
        {actions && <div class="buttons">{actions}</div>}
      </div>
      {isFlush ? children : <div class="card-body">{children}</div>}
    </section>
  );
}
