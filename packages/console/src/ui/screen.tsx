import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

interface ScreenProps {
  readonly title: string;
  /** The title of the browser's tab, if it says more than the heading. */
  readonly tabTitle?: string;
  /** Beside the heading, such as a status. */
  readonly titleExtra?: ComponentChildren;
  /** A line below the heading. */
  readonly about?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** The frame of every screen: its heading, what can be done, and the title of the browser's tab. */
export function Screen({ title, tabTitle = title, titleExtra, about, actions, children }: ScreenProps) {
  useEffect(() => {
    document.title = `${tabTitle} - Tillgate console`;
  }, [tabTitle]);
  return (
    <div class="screen">
      <header class="screen-head">
        <div class="screen-name">
          <div class="title">
            <h1 tabIndex={-1}>{title}</h1>
            {titleExtra}
          </div>
          {about && <div class="soft about">{about}</div>}
        </div>
        {actions && <div class="buttons">{actions}</div>}
      </header>
      {children}
    </div>
  );
}
