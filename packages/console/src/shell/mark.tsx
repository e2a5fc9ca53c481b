/** The mark of the gateway: a till, with a gate in it. */
export function Mark({ size = 24 }: { readonly size?: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="#0f766e" />
      <path
        d="M7 24V13a9 9 0 0 1 18 0v11M12 24V13a4 4 0 0 1 8 0v11M5 24h22"
        fill="none"
        stroke="#fff"
        stroke-width="2.5"
        stroke-linecap="round"
      />
    </svg>
  );
}
