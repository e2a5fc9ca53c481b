import { useEffect, useState } from 'preact/hooks';
import { Button } from './button.js';
import { announce } from './toast.js';

const SHOWN_MS = 2000;

/** Copies a text, such as an id. `label` names it: `account id`. */
export function Copy({ text, label }: { readonly text: string; readonly label: string }) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    announce(`Copied the ${label}.`);
  };
  return (
    <Button
      kind="quiet"
      isSmall
      icon={isCopied ? 'done' : 'copy'}
      aria-label={`Copy the ${label}`}
      title={`Copy the ${label}`}
      onClick={() => void copy()}
    />
  );
}
