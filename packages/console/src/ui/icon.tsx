/**
 * Outlines on a grid of 16, drawn with the colour of the text. They stand beside words, so screen readers pass over
 * them.
 */
const PATHS = {
  search: 'M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9ZM10.5 10.5 14 14',
  account: 'M2 6.5 8 3l6 3.5M3 13.5h10M4 7v6M8 7v6M12 7v6',
  card: 'M1.5 4h13v8.5h-13ZM1.5 6.8h13M4 10h2.5',
  person: 'M8 2.5a2.6 2.6 0 1 1 0 5.2 2.6 2.6 0 0 1 0-5.2ZM2.8 13.8c.4-2.6 2.5-4 5.2-4s4.8 1.4 5.2 4',
  approvals: 'M3 8.5 6.5 12 13 4.5',
  documents: 'M4 2h5.5L12.5 5v9H4ZM9.5 2v3h3M6 8h4.5M6 11h4.5',
  tax: 'M4 12.5 12 3.5M5 3a1.8 1.8 0 1 1 0 3.6A1.8 1.8 0 0 1 5 3ZM11 9.4a1.8 1.8 0 1 1 0 3.6 1.8 1.8 0 0 1 0-3.6Z',
  webhooks: 'M5.5 5.5a2.5 2.5 0 1 1 4 2L12 11M4 8a3 3 0 1 0 3 4h5M12.5 13.5a1.5 1.5 0 1 0 0-3',
  requests: 'M2.5 5.5h9M8.5 2.5l3 3-3 3M13.5 10.5h-9M7.5 7.5l-3 3 3 3',
  imports: 'M8 2v8M4.5 6.5 8 10l3.5-3.5M2.5 13.5h11',
  history: 'M2.5 8A5.5 5.5 0 1 0 4 4.2L2.5 5.5M2.5 2.5v3h3M8 5v3.2l2.2 1.3',
  changes: 'M5 2.5h8.5v11H5ZM2.5 5v8.5M7.5 6h3.5M7.5 8.5h3.5M7.5 11h2',
  sandbox: 'M6 2.5h4M7 2.5v4L3 13.5h10L9 6.5v-4M5 10.5h6',
  filter: 'M2.5 4h11M4.5 8h7M6.5 12h3',
  settings: 'M2.5 5h6M11.5 5h2M2.5 11h2M7.5 11h6M10 3.5v3M6 9.5v3',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  close: 'm4 4 8 8M12 4l-8 8',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  sun: 'M8 5.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6ZM8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1M3.4 3.4l.7.7M11.9 11.9l.7.7M12.6 3.4l-.7.7M4.1 11.9l-.7.7',
  moon: 'M13 9.6A5.6 5.6 0 1 1 6.4 3a4.6 4.6 0 0 0 6.6 6.6Z',
  copy: 'M5.5 5.5h8v8h-8ZM10.5 5.5v-3h-8v8h3',
  done: 'M3 8.5 6.5 12 13 4.5',
  download: 'M8 2v8M4.5 6.5 8 10l3.5-3.5M2.5 13.5h11',
  plus: 'M8 3v10M3 8h10',
  warning: 'M8 2.5 14.5 13.5h-13ZM8 6.5v3.2M8 11.6v.01',
  out: 'M6.5 2.5h-4v11h4M6 8h8M11 5l3 3-3 3',
  home: 'M2.5 7.5 8 3l5.5 4.5V13.5h-11ZM6.5 13.5v-4h3v4',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      stroke-width={name === 'more' ? 2.4 : 1.4}
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
