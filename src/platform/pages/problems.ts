import { STATUS_OF } from '../../shared/errors.js';
import { FIELD_PROBLEMS } from '../../shared/field-problems.js';
import { PROBLEMS, doorsOf, type ProblemCode } from '../../shared/problems.js';
import type { Exchange } from '../http/exchange.js';
import { BASE_STYLE } from './base.style.js';
import { MARK, escapeHtml, sendPage } from './page.js';
import { PROBLEMS_STYLE } from './problems.style.js';

/** Each code in the group of its status, the lowest status first. */
const GROUPS = Map.groupBy(
  (Object.keys(PROBLEMS) as ProblemCode[]).sort((one, other) => statusOf(one) - statusOf(other)),
  statusOf,
);

/** Explains every code that a refusal can have, at the address that its `type` names. It has no script. */
export async function sendProblems(exchange: Exchange, { name }: { readonly name: string }): Promise<void> {
  await sendPage(exchange, {
    title: `Problems - ${name}`,
    style: BASE_STYLE + PROBLEMS_STYLE,
    body: BODY,
    rights: nonce => ({ styleSrc: [`'nonce-${nonce}'`], imgSrc: ['data:'] }),
  });
}

const BODY = `<main>
<header>${MARK}<div><h1>Problems</h1><p>Every error code of this gateway, what it means, and what to do.</p></div></header>
<p>REST answers errors as <code>application/problem+json</code> (RFC 9457) with the code in <code>code</code>. GraphQL has it in <code>extensions.code</code>;
its HTTP status is 200 where only a field is refused, and the status shown here where the whole request is.
A code never changes its meaning. Quote the request id (<code>X-Request-Id</code>) when you report a problem.</p>
<nav aria-label="Statuses"><ul>${[...GROUPS.keys()].map(linkHtml).join('')}<li><a href="#fields">Single fields</a></li></ul></nav>
${[...GROUPS].map(groupHtml).join('\n')}
<h2 id="fields">Single fields</h2>
<p>A problem about fields lists all of them in <code>errors</code>: <code>pointer</code> says where the field is (RFC 6901), <code>code</code> is one of these,
and <code>detail</code> says what to do.</p>
<table><tbody>
${Object.entries(FIELD_PROBLEMS).map(fieldHtml).join('\n')}
</tbody></table>
</main>`;

function statusOf(code: ProblemCode): number {
  return STATUS_OF[PROBLEMS[code][0]].status;
}

function linkHtml(status: number): string {
  return `<li><a href="#status-${status}">${status}</a></li>`;
}

function groupHtml([status, codes]: readonly [number, readonly ProblemCode[]]): string {
  const [first] = codes as [ProblemCode];
  return `<section aria-labelledby="status-${status}">
<h2 id="status-${status}">${status} ${escapeHtml(STATUS_OF[PROBLEMS[first][0]].title)}</h2>
${codes.map(problemHtml).join('\n')}
</section>`;
}

function problemHtml(code: ProblemCode): string {
  const [kind, meaning, remedy] = PROBLEMS[code];
  const tags = [kind, ...doorsOf(code)].map(tag => `<span class="tag">${tag}</span>`).join('');
  return `<article id="${code}"><div><h3><a href="#${code}"><code>${code}</code></a></h3><span class="tag status">${statusOf(code)}</span>${tags}</div>
<p>${textHtml(meaning)}</p><p class="soft">${textHtml(remedy)}</p></article>`;
}

function fieldHtml([code, meaning]: readonly [string, string]): string {
  return `<tr id="field-${code}"><th scope="row"><a href="#field-${code}"><code>${code}</code></a></th><td>${textHtml(meaning)}</td></tr>`;
}

/** A sentence in which backticks mark code. */
function textHtml(sentence: string): string {
  return escapeHtml(sentence).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}
