export type Theme = 'light' | 'dark' | null;

const KEY = 'tillgate-theme';

/** The theme that somebody chose in this browser; null for that of the system. */
function chosenTheme(): Theme {
  const chosen = localStorage.getItem(KEY);
  return chosen === 'light' || chosen === 'dark' ? chosen : null;
}

export function chooseTheme(theme: Theme): void {
  if (theme) localStorage.setItem(KEY, theme);
  else localStorage.removeItem(KEY);
  showTheme();
}

export function showTheme(): void {
  const theme = chosenTheme();
  if (theme) document.documentElement.dataset['theme'] = theme;
  else delete document.documentElement.dataset['theme'];
}

export function isDark(): boolean {
  return (chosenTheme() ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';
}
