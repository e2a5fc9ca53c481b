/** What pages to read have in common: light and dark, wide and narrow, and no font but the reader's own. */
export const BASE_STYLE = `
:root {
  --paper: light-dark(#fbfbf9, #121615); --ink: light-dark(#1b2422, #e6ecea); --soft: light-dark(#55625f, #9fb0ab);
  --line: light-dark(#dfe4e1, #2b3431); --card: light-dark(#fff, #1a201e); --accent: light-dark(#0f766e, #5eead4);
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.55 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: clamp(1.25rem, 5vw, 3rem) clamp(1rem, 4vw, 2rem) 4rem; }
header { display: flex; gap: 1rem; align-items: center; }
header svg { width: 3rem; height: 3rem; flex: none; }
h1 { margin: 0; font-size: 1.75rem; line-height: 1.2; letter-spacing: -.01em; }
header p { margin: .15rem 0 0; color: var(--soft); max-width: 46rem; }
h2 { margin: 2.25rem 0 .75rem; font-size: 1.1rem; }
h3 { margin: 0; font-size: .95rem; font-weight: 600; }
p { margin: .5rem 0; }
a { color: var(--accent); text-underline-offset: .15em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.soft { color: var(--soft); }
code, pre { font: .875rem/1.5 ui-monospace, 'Cascadia Mono', Menlo, Consolas, monospace; }
`;
