/** A text for each plural category of the language (Unicode CLDR). */
export type PluralText = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>

type Values = Record<string, string | number>

export const fill = (text: string, values: Values): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))

export function fillPlural(lang: string, text: PluralText, count: number): string {
  const category = new Intl.PluralRules(lang).select(count)
  return fill(text[category] ?? text.other, { count })
}
