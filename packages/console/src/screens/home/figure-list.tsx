import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

/** A figure that leads to the list of what it counts. */
export interface Figure {
  readonly label: string;
  readonly value: ComponentChildren;
  readonly href: string;
  /** A few words below it. */
  readonly about?: string;
}

export function FigureList({ figures }: { readonly figures: readonly Figure[] }) {
  const id = useId();
  return (
    <dl class="figures">
      {figures.map(({ label, value, href, about }, index) => (
        <div key={label}>
          <dt id={`${id}-${index}`}>{label}</dt>
          <dd>
            <a href={href} id={`${id}-${index}-value`} aria-labelledby={`${id}-${index} ${id}-${index}-value`}>
              {value}
            </a>
            {about && <span class="soft small">{about}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
