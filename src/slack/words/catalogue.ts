/** Which words for which language: every language is here, or this does not compile. */
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { ja } from './ja.ts';
import type { Language } from './language.ts';
import type { Words } from './words.ts';
import { zhHans } from './zh-hans.ts';
import { zhHant } from './zh-hant.ts';

const CATALOGUE: Readonly<Record<Language, Words>> = {
  en,
  'zh-Hant': zhHant,
  'zh-Hans': zhHans,
  ja,
  es,
  fr,
  de,
};

export function wordsIn(language: Language): Words {
  return CATALOGUE[language];
}
