import { render } from 'preact';
import './main.css';

const root = document.getElementById('console');
if (root) render(<p>Hello</p>, root);
