import { render } from 'preact';
import { SessionProvider } from './client/session.js';
import { Router } from './router.js';
import { App } from './shell/app.js';
import { showTheme } from './theme.js';
import './style/console.css';

showTheme();
const root = document.getElementById('console');
if (root) {
  render(
    <Router>
      <SessionProvider>
        <App />
      </SessionProvider>
    </Router>,
    root,
  );
}
