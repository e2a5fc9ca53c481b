/** Light and dark, wide and narrow, and no font but the reader's own. */
export const START_STYLE = `
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
.doors { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 16rem), 1fr)); gap: .75rem; padding: 0; margin: 0; list-style: none; }
.doors a { display: block; height: 100%; padding: .9rem 1rem; border: 1px solid var(--line); border-radius: .6rem; background: var(--card); color: inherit; text-decoration: none; }
.doors a:hover { border-color: var(--accent); }
.doors strong { color: var(--accent); }
.doors span { display: block; color: var(--soft); font-size: .92rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .35rem 1.25rem; margin: 0; }
dd { margin: 0; color: var(--soft); }
code, pre { font: .875rem/1.5 ui-monospace, 'Cascadia Mono', Menlo, Consolas, monospace; }
.example { margin: .75rem 0; border: 1px solid var(--line); border-radius: .6rem; background: var(--card); overflow: hidden; }
.example > div { display: flex; align-items: center; justify-content: space-between; gap: 1rem; min-height: 2.75rem; padding: .4rem .5rem .4rem 1rem; border-bottom: 1px solid var(--line); }
pre { margin: 0; padding: .8rem 1rem; overflow-x: auto; }
#token pre { white-space: nowrap; }
button { padding: .3rem .8rem; border: 1px solid var(--line); border-radius: .4rem; background: none; color: var(--accent); font: inherit; font-size: .875rem; cursor: pointer; }
button:hover { border-color: var(--accent); }
@media (max-width: 34rem) { dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .6rem; } }
`;
