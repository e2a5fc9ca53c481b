import { STATUS_OF, type Problem, type Problems } from '../../shared/errors.js';
import { FIELD_PROBLEMS } from '../../shared/field-problems.js';
import { surfacesOf } from '../../shared/problems.js';
import type { Exchange } from '../../platform/http/exchange.js';
import { BASE_STYLE, MARK, NAME, escapeHtml, sendPage } from './page.js';

type Entry = readonly [code: string, problem: Problem];

/** Explains every code that a refusal can have, at the address that its `type` names. It has no script. */
export function problemsPage(problems: Problems): (exchange: Exchange) => Promise<void> {
  // The lowest status first.
  const sorted = Object.entries(problems).sort(([, one], [, other]) => statusOf(one) - statusOf(other));
  const body = bodyOf(Map.groupBy(sorted, ([, problem]) => statusOf(problem)));
  return exchange =>
    sendPage(exchange, {
      title: `Problems - ${NAME}`,
      style: BASE_STYLE + STYLE,
      body,
      rights: nonce => ({ styleSrc: [`'nonce-${nonce}'`], imgSrc: ['data:'] }),
    });
}

const bodyOf = (groups: ReadonlyMap<number, readonly Entry[]>): string => `<main>
<header>${MARK}<div><h1>Problems</h1><p>Every error code of this gateway, what it means, and what to do.</p></div></header>
<p>REST answers errors as <code>application/problem+json</code> (RFC 9457) with the code in <code>code</code>. GraphQL has it in upper case in <code>extensions.code</code>, such as <code>ACCOUNT_NOT_FOUND</code>;
its HTTP status is 200 where only a field is refused, and the status shown here where the whole request is.
A code never changes its meaning. Quote the request id (<code>X-Request-Id</code>) when you report a problem.</p>
<nav aria-label="Statuses"><ul>${[...groups.keys()].map(linkHtml).join('')}<li><a href="#fields">Single fields</a></li></ul></nav>
${[...groups].map(groupHtml).join('\n')}
<h2 id="fields">Single fields</h2>
<p>A problem about fields lists all of them in <code>errors</code>: <code>pointer</code> says where the field is (RFC 6901), <code>code</code> is one of these,
and <code>detail</code> says what to do.</p>
<table><tbody>
${Object.entries(FIELD_PROBLEMS).map(fieldHtml).join('\n')}
</tbody></table>
</main>`;

function statusOf([kind]: Problem): number {
  return STATUS_OF[kind].status;
}

function linkHtml(status: number): string {
  return `<li><a href="#status-${status}">${status}</a></li>`;
}

function groupHtml([status, entries]: readonly [number, readonly Entry[]]): string {
  const [[, [kind]]] = entries as [Entry];
  return `<section aria-labelledby="status-${status}">
<h2 id="status-${status}">${status} ${escapeHtml(STATUS_OF[kind].title)}</h2>
${entries.map(problemHtml).join('\n')}
</section>`;
}

function problemHtml([code, problem]: Entry): string {
  const [kind, meaning, remedy] = problem;
  const tags = [kind, ...surfacesOf(code)].map(tag => `<span class="tag">${tag}</span>`).join('');
  return `<article id="${code}"><div><h3><a href="#${code}"><code>${code}</code></a></h3><span class="tag status">${statusOf(problem)}</span>${tags}</div>
<p>${textHtml(meaning)}</p><p class="soft">${textHtml(remedy)}</p></article>`;
}

function fieldHtml([code, meaning]: readonly [string, string]): string {
  return `<tr id="field-${code}"><th scope="row"><a href="#field-${code}"><code>${code}</code></a></th><td>${textHtml(meaning)}</td></tr>`;
}

/** A sentence in which backticks mark code. */
function textHtml(sentence: string): string {
  return escapeHtml(sentence).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

const STYLE = `
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
