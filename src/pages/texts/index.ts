import type { PageTexts } from './en.ts'
import { en } from './en.ts'
import { es } from './es.ts'

const catalogues = { en, es } satisfies Record<string, PageTexts>

export type { PageTexts }
export type PageLanguage = keyof typeof catalogues

export const pageLanguages = Object.keys(catalogues) as PageLanguage[]

/** Those to switch to, each by its own name. */
export const otherLanguages = Object.fromEntries(
  pageLanguages.map((lang) => [
    lang,
    pageLanguages.filter((one) => one !== lang).map((one) => ({ lang: one, name: catalogues[one].name })),
  ]),
) as Record<PageLanguage, { lang: PageLanguage; name: string }[]>

export const textsFor = (lang: PageLanguage): PageTexts => catalogues[lang]
