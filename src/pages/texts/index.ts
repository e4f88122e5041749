import type { PageTexts } from './en.ts'
import { en } from './en.ts'
import { es } from './es.ts'

const catalogues = { en, es } satisfies Record<string, PageTexts>

export type { PageTexts }
export type PageLanguage = keyof typeof catalogues

export const pageLanguages = Object.keys(catalogues) as PageLanguage[]

export const textsFor = (lang: PageLanguage): PageTexts => catalogues[lang]
