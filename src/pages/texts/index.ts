import en from './en.json' with { type: 'json' }
import es from './es.json' with { type: 'json' }

export { fill, fillPlural } from './fill.ts'

/** What English has: a text that another language lacks is a type error here. */
export type PageTexts = typeof en

const catalogues = { en, es } satisfies Record<string, PageTexts>

export type PageLanguage = keyof typeof catalogues

export const pageLanguages = Object.keys(catalogues) as PageLanguage[]

/** Those to switch to, each by its own name. */
export const otherLanguages = Object.fromEntries(
  pageLanguages.map((lang) => [
    lang,
    pageLanguages.filter((one) => one !== lang).map((one) => ({ lang: one, name: catalogues[one].name })),
  ]),
) as Record<PageLanguage, { lang: PageLanguage; name: string }[]>

/** The texts of a module's pages: English stands in for languages that it lacks. */
export const moduleTexts =
  <Texts>(catalogues: { en: Texts } & Partial<Record<PageLanguage, Texts>>) =>
  (lang: string): Texts =>
    catalogues[lang as PageLanguage] ?? catalogues.en

export const textsFor = (lang: PageLanguage): PageTexts => catalogues[lang]
