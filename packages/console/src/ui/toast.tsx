import { useEffect, useState } from 'preact/hooks';
import { Button } from './button.js';

interface Message {
  readonly id: number;
  readonly text: string;
}

const SHOWN_MS = 8000;
const MAX_SHOWN = 2;

let lastId = 0;
let show: ((message: Message) => void) | undefined;
let say: ((text: string) => void) | undefined;

/** Shows for some seconds what was done, and has it read out. */
export function toast(text: string): void {
  show?.({ id: ++lastId, text });
}

/** Has something read out when the screen reader is idle; nothing is shown. */
export function announce(text: string): void {
  say?.(text);
}

/** Where toasts and announcements appear. It stands once, from the beginning, so that screen readers know it. */
export function Toasts() {
  const [messages, setMessages] = useState<readonly Message[]>([]);
  const [said, setSaid] = useState('');
  const dismiss = (id: number): void => setMessages(shown => shown.filter(message => message.id !== id));
  useEffect(() => {
    say = setSaid;
    show = message => {
      setMessages(shown => [...shown.slice(1 - MAX_SHOWN), message]);
      setTimeout(() => dismiss(message.id), SHOWN_MS);
    };
  }, []);
  return (
    <>
      <div class="hidden-text" role="status">
        {said}
      </div>
      <div class="toasts" role="status" aria-label="Messages">
        {messages.map(({ id, text }) => (
          <div class="toast" key={id}>
            <p>{text}</p>
            <Button kind="quiet" isSmall icon="close" aria-label="Dismiss the message" onClick={() => dismiss(id)} />
          </div>
        ))}
      </div>
    </>
  );
}
