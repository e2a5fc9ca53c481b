import { useEffect, useState } from 'preact/hooks';
import { hrefOf, navigate } from '../router.js';
import { PLACES } from '../routes.js';
import { Dialog } from '../ui/dialog.js';
import { Check } from '../ui/field.js';

/**
 * The name under which a person turns keys without Ctrl or Alt off, who speaks to the computer or types with one finger
 * (WCAG 2.1.4).
 */
const TURNED_OFF = 'tillgate-keys-off';
/** The time after `g` in which the second key counts. */
const SECOND_KEY_MS = 1500;

/** The keys that work on every screen, unless somebody types text or a dialog is open. */
export function useKeys(showHelp: () => void): void {
  useEffect(() => {
    let goesUntil = 0;
    const onKey = (event: KeyboardEvent): void => {
      if (isPalette(event)) {
        event.preventDefault();
        toSearch();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || areTurnedOff()) return;
      const place = Date.now() < goesUntil ? PLACES.find(({ key }) => key === event.key) : undefined;
      goesUntil = event.key === 'g' ? Date.now() + SECOND_KEY_MS : 0;
      if (place) navigate(hrefOf(place.path));
      else if (event.key === '?') showHelp();
      else if (event.key === '/') toSearch();
      else if (event.key === 'j') goToRow(1);
      else if (event.key === 'k') goToRow(-1);
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

/** Cmd or Ctrl with K; not in a dialog, behind which the search cannot be reached. */
function isPalette({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  const isInDialog = target instanceof Element && target.closest('dialog') !== null;
  return key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey && !isInDialog;
}

function toSearch(): void {
  document.querySelector<HTMLElement>('[data-search]')?.focus();
}

/** Goes to the first control of the next row of the lists on the screen, or of the one before. */
function goToRow(step: 1 | -1): void {
  const stops = [...document.querySelectorAll('main tbody tr')].flatMap(
    row => row.querySelector<HTMLElement>('.row-link, summary, a, button') ?? [],
  );
  const current = stops.findIndex(stop => stop.closest('tr')?.contains(document.activeElement));
  const next = current === -1 ? stops[step === 1 ? 0 : stops.length - 1] : stops[current + step];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

function areTurnedOff(): boolean {
  return localStorage.getItem(TURNED_OFF) !== null;
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, dialog') !== null;
}

export function KeyHelp({ onClose }: { readonly onClose: () => void }) {
  const [isOff, setOff] = useState(areTurnedOff);
  const turn = (isOn: boolean): void => {
    if (isOn) localStorage.removeItem(TURNED_OFF);
    else localStorage.setItem(TURNED_OFF, 'yes');
    setOff(!isOn);
  };
  const keys: readonly (readonly [keys: readonly string[], what: string])[] = [
    [['/'], 'Search'],
    [['Ctrl', 'K'], 'Search, go somewhere or do something'],
    [['j'], 'Go to the next row of a list'],
    [['k'], 'Go to the row before'],
    [['?'], 'Show these keys'],
    ...PLACES.map(({ key, label }) => [['g', key], `Go to ${label}`] as const),
    [['Tab'], 'Go to the next control'],
    [['Enter'], 'Open a row, or send a form'],
    [['Esc'], 'Close a dialog'],
  ];
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl class="keys">
        {keys.map(([pressed, what]) => (
          <div key={what}>
            <dt>
              {pressed.map(key => (
                <kbd class="kbd" key={key}>
                  {key}
                </kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <Check label="Use the keys that are letters and signs" isChecked={!isOff} onChecked={turn} />
    </Dialog>
  );
}
