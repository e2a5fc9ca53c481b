import type { ComponentChildren } from 'preact';
import type { Problem } from '../client/problem.js';
import type { Query } from '../client/query.js';
import { hrefOf } from '../router.js';
import { Button } from './button.js';
import { words } from './words.js';

/** A placeholder for content that is being loaded. */
export function Loading({ label = 'Loading', lines = 4 }: { readonly label?: string; readonly lines?: number }) {
  return (
    <div class="skeleton" role="status">
      <span class="hidden-text">{label}</span>
      {Array.from({ length: lines }, (_, line) => (
        <i key={line} />
      ))}
    </div>
  );
}

/** Nothing is there, and that is an answer. `children` say what can be done about it. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <div class="state center">
      <p class="state-title">{title}</p>
      {children && <p>{children}</p>}
    </div>
  );
}

/** Shows what went wrong, by its code, and what to do. */
export function ProblemNote({ problem }: { readonly problem: Problem }) {
  const wrong = problem.extensions.errors ?? [];
  return (
    <div class="note bad" role="alert">
      {wrong.length > 0 ? (
        wrong.map(({ pointer, detail }) => (
          <p key={pointer}>
            {nameAt(pointer)}: {detail}
          </p>
        ))
      ) : (
        <p>
          {problem.message} {problem.advice}
        </p>
      )}
      <p class="small">
        Code <code>{problem.code}</code>
        {problem.requestId && (
          <>
            , request <a href={hrefOf(`/requests/${encodeURIComponent(problem.requestId)}`)}>{problem.requestId}</a>
          </>
        )}
      </p>
    </div>
  );
}

/** `/filter/minAmount` is `Min amount`; `/customerIds/0` is `Customer ids 1`. */
function nameAt(pointer: string): string {
  const [name = '', place] = pointer.split('/').slice(-2);
  const isPlace = /^\d+$/.test(place ?? '');
  const spelled = words(isPlace ? name : (place ?? name));
  return isPlace ? `${spelled} ${Number(place) + 1}` : spelled;
}

export function ErrorState({ problem, onRetry }: { readonly problem: Problem; readonly onRetry?: () => void }) {
  return (
    <div class="state">
      <ProblemNote problem={problem} />
      {onRetry && <Button onClick={onRetry}>Try again</Button>}
    </div>
  );
}

interface AnswerProps<Result> {
  readonly of: Query<Result>;
  readonly lines?: number;
  readonly children: (result: Result) => ComponentChildren;
}

/** Shows what a query was answered with, and until then that it loads, or why it failed. */
export function Answer<Result>({ of: { data, problem, reload }, lines, children }: AnswerProps<Result>) {
  if (data === undefined) {
    return problem ? <ErrorState problem={problem} onRetry={reload} /> : <Loading lines={lines} />;
  }
  return (
    <>
      {problem && <ErrorState problem={problem} onRetry={reload} />}
      {children(data)}
    </>
  );
}
