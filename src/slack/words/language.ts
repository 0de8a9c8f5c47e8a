/** The languages that we speak, by their BCP 47 tags. */
export const LANGUAGES = ['en', 'zh-Hant', 'zh-Hans', 'ja', 'es', 'fr', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The language for a locale as Slack gives it, such as `en-GB`, `zh-TW` or `es-LA`; English where we do not speak it. */
export function languageOf(locale: string | undefined): Language {
  const { language, script } = likely(locale ?? 'en');
  switch (language) {
    case 'zh':
      return script === 'Hant' ? 'zh-Hant' : 'zh-Hans';
    case 'ja':
    case 'es':
    case 'fr':
    case 'de':
      return language;
    default:
      return 'en';
  }
}

/** With the script that the region writes: Taiwan, Hong Kong and Macau write Chinese in Traditional characters. */
function likely(locale: string): { language: string; script?: string | undefined } {
  try {
    return new Intl.Locale(locale.replaceAll('_', '-')).maximize();
  } catch {
    return { language: 'en' };
  }
}
