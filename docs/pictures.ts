/**
 * `npm run pictures` makes the pictures of the README and the docs anew: the real bot in the playground, in real Chromium
 * (CHROMIUM, by default /usr/bin/chromium). `npm run pictures cards home` makes those alone.
 */
import { cards } from './pictures/cards.ts';
import { forms } from './pictures/forms.ts';
import { home, question } from './pictures/home.ts';
import { others } from './pictures/others.ts';
import { openStudio, type Studio } from './pictures/studio.ts';
import { threads } from './pictures/threads.ts';

const makers: { [name: string]: (studio: Studio) => Promise<void> } = {
  question,
  cards,
  forms,
  threads,
  others,
  home,
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(makers, name));
if (unknown.length > 0)
  throw new Error(`No such pictures: ${unknown.join(', ')}. There are ${Object.keys(makers).join(', ')}.`);

const studio = await openStudio();
try {
  for (const [name, make] of Object.entries(makers))
    if (wanted.length === 0 || wanted.includes(name)) await make(studio);
} finally {
  await studio.close();
}
