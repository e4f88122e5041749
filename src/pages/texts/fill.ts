/** A sentence that depends on a number, in the plural categories of its language (Unicode CLDR). */
export type PluralText = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>

type Values = Record<string, string | number>

/** The text with its values, which stand in braces: `Linked {date}`. */
export const fill = (text: string, values: Values): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))

/** The sentence for this number, which it shows as `{count}`. */
export function fillPlural(lang: string, text: PluralText, count: number): string {
  const category = new Intl.PluralRules(lang).select(count)
  return fill(text[category] ?? text.other, { count })
}
