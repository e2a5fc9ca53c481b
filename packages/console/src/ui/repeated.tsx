import type { ComponentChildren } from 'preact';
import { Button } from './button.js';

interface RepeatedProps<Item> {
  readonly legend: string;
  /** The name of one of them, such as `address`. */
  readonly noun: string;
  readonly items: readonly Item[];
  readonly onItems: (items: readonly Item[]) => void;
  /** The value with which a new one begins. */
  readonly fresh: Item;
  readonly max: number;
  /** The fields of one. */
  readonly children: (item: Item, set: (changes: Partial<Item>) => void, index: number) => ComponentChildren;
}

/** Fields that are there as often as somebody adds them. */
export function Repeated<Item>({ legend, noun, items, onItems, fresh, max, children }: RepeatedProps<Item>) {
  const add = ({ currentTarget: button }: { readonly currentTarget: HTMLElement }): void => {
    onItems([...items, fresh]);
    // The new fields push the button down, which has the focus and has to stay in sight.
    requestAnimationFrame(() => button.scrollIntoView({ block: 'nearest' }));
  };
  return (
    <fieldset>
      <legend>{legend}</legend>
      {items.map((item, index) => (
        <div class="repeated" role="group" aria-label={`${noun} ${index + 1}`} key={index}>
          <div class="fields">
            {children(item, changes => onItems(items.with(index, { ...item, ...changes })), index)}
          </div>
          <Button
            kind="quiet"
            isSmall
            icon="close"
            aria-label={`Remove ${noun} ${index + 1}`}
            onClick={() => onItems(items.toSpliced(index, 1))}
          />
        </div>
      ))}
      {items.length < max && (
        <Button isSmall icon="plus" onClick={add}>
          Add {noun}
        </Button>
      )}
    </fieldset>
  );
}
