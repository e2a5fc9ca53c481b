export const START_STYLE = `
.doors { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 16rem), 1fr)); gap: .75rem; padding: 0; margin: 0; list-style: none; }
.doors a { display: block; height: 100%; padding: .9rem 1rem; border: 1px solid var(--line); border-radius: .6rem; background: var(--card); color: inherit; text-decoration: none; }
.doors a:hover { border-color: var(--accent); }
.doors strong { color: var(--accent); }
.doors span { display: block; color: var(--soft); font-size: .92rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .35rem 1.25rem; margin: 0; }
dd { margin: 0; color: var(--soft); }
.example { margin: .75rem 0; border: 1px solid var(--line); border-radius: .6rem; background: var(--card); overflow: hidden; }
.example > div { display: flex; align-items: center; justify-content: space-between; gap: 1rem; min-height: 2.75rem; padding: .4rem .5rem .4rem 1rem; border-bottom: 1px solid var(--line); }
pre { margin: 0; padding: .8rem 1rem; overflow-x: auto; }
#token pre { white-space: nowrap; }
button { padding: .3rem .8rem; border: 1px solid var(--line); border-radius: .4rem; background: none; color: var(--accent); font: inherit; font-size: .875rem; cursor: pointer; }
button:hover { border-color: var(--accent); }
@media (max-width: 34rem) { dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .6rem; } }
`;
