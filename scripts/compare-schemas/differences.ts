import type { Described } from './create.ts'

/** A changed object is listed twice: as it was before (-) and as it is after (+). */
export const differencesBetween = (before: Described, after: Described): string[] =>
  [...onlyIn(before, after, '-'), ...onlyIn(after, before, '+')].sort(byName).map(describe)

interface Difference {
  sign: '-' | '+'
  name: string
  text: string
}

const onlyIn = (described: Described, other: Described, sign: '-' | '+'): Difference[] =>
  [...described].filter(([name, text]) => other.get(name) !== text).map(([name, text]) => ({ sign, name, text }))

const byName = (a: Difference, b: Difference): number =>
  a.name === b.name ? b.sign.localeCompare(a.sign) : a.name.localeCompare(b.name)

const describe = ({ sign, name, text }: Difference): string => `${sign} ${name}\n${text.replaceAll(/^/gm, '    ')}\n`
