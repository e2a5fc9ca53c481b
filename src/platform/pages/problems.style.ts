export const PROBLEMS_STYLE = `
html { scroll-padding-top: 1rem; }
header + p { margin-top: 1.25rem; }
nav { margin: 1rem 0; }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin: 0; padding: 0; list-style: none; }
article { margin: .75rem 0; padding: .9rem 1rem; border: 1px solid var(--line); border-radius: .6rem; background: var(--card); }
article:target, tr:target { border-color: var(--accent); box-shadow: inset .25rem 0 var(--accent); }
article > div { display: flex; flex-wrap: wrap; align-items: baseline; gap: .25rem .4rem; }
article h3 { margin-right: .35rem; overflow-wrap: anywhere; }
article h3 a, th a { color: inherit; text-decoration: none; }
article h3 a:hover, th a:hover { text-decoration: underline; }
article h3 code { font-weight: 600; }
article p { margin: .35rem 0 0; }
.tag { padding: .05rem .5rem; border: 1px solid var(--line); border-radius: 1rem; color: var(--soft); font-size: .8rem; white-space: nowrap; }
.status { border-color: var(--accent); color: var(--accent); }
table { width: 100%; border-collapse: collapse; }
th, td { padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; font-weight: inherit; }
th { padding-left: .75rem; white-space: nowrap; }
@media (max-width: 34rem) { th, td { display: block; padding: .1rem .75rem; border: 0; } td { padding-bottom: .5rem; border-bottom: 1px solid var(--line); } }
`;
