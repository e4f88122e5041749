import en from './en.json' with { type: 'json' }
import es from './es.json' with { type: 'json' }

/** A text missing from another language is a type error. */
export type PageTexts = typeof en

const catalogues = { en, es } satisfies Record<string, PageTexts>

export type PageLanguage = keyof typeof catalogues

export const pageLanguages = Object.keys(catalogues) as PageLanguage[]

export const otherLanguages = Object.fromEntries(
  pageLanguages.map((lang) => [
    lang,
    pageLanguages.filter((one) => one !== lang).map((one) => ({ lang: one, name: catalogues[one].name })),
  ]),
) as Record<PageLanguage, { lang: PageLanguage; name: string }[]>

/** Uses English if the module does not support the language. */
export const moduleTexts =
  <Texts>(catalogues: { en: Texts } & Partial<Record<PageLanguage, Texts>>) =>
  (lang: string): Texts =>
    catalogues[lang as PageLanguage] ?? catalogues.en

export const textsFor = (lang: PageLanguage): PageTexts => catalogues[lang]

/** One text per plural category of the language (Unicode CLDR). */
export type PluralText = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>

type Values = Record<string, string | number>

export const fill = (text: string, values: Values): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))

export function fillPlural(lang: string, text: PluralText, count: number): string {
  const category = new Intl.PluralRules(lang).select(count)
  return fill(text[category] ?? text.other, { count })
}
