import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import './styles/base.css';
import './styles/shell.css';
import './styles/messages.css';
import './styles/blocks.css';
import './styles/controls.css';
import './styles/panels.css';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element with the id root.');
createRoot(root).render(<App now={Date.now} />);
