import type { ComponentChildren } from 'preact';

/** Names and values. With `isLines`, one below the other; otherwise side by side as far as there is space. */
export function Facts({
  facts,
  isLines,
}: {
  readonly facts: readonly (readonly [label: string, value: ComponentChildren] | false | null | undefined)[];
  readonly isLines?: boolean;
}) {
  return (
    <dl class={isLines ? 'facts lines' : 'facts'}>
      {facts.map(
        (fact, index) =>
          fact && (
            <div key={index}>
              <dt>{fact[0]}</dt>
              <dd>{fact[1]}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
