import { useEffect, useRef } from 'preact/hooks';

export interface Tab {
  readonly label: string;
  readonly href: string;
  readonly isCurrent: boolean;
}

/** Parts of a screen. Each has an address. */
export function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }) {
  const row = useRef<HTMLElement>(null);
  // On a narrow screen they are one row that scrolls, and the current one must be in sight.
  useEffect(() => {
    const current = row.current?.querySelector<HTMLElement>('[aria-current]');
    if (row.current && current) row.current.scrollLeft = current.offsetLeft - current.offsetWidth;
  }, [tabs.findIndex(({ isCurrent }) => isCurrent)]);
  return (
    <nav class="tabs" aria-label={label} ref={row}>
      {tabs.map(tab => (
        <a key={tab.href} href={tab.href} aria-current={tab.isCurrent ? 'page' : undefined}>
          {tab.label}
        </a>
      ))}
    </nav>
  );
}
