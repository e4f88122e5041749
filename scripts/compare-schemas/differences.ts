import type { Described } from './create.ts'
import { deliberate } from './deliberate.ts'

interface Difference {
  sign: '-' | '+'
  name: string
  text: string
  /** The reason for a deliberate difference. */
  because: string | undefined
}

export const differencesBetween = (before: Described, after: Described): Difference[] =>
  [...onlyIn(before, after, '-'), ...onlyIn(after, before, '+')].sort(byName)

const onlyIn = (described: Described, other: Described, sign: '-' | '+'): Difference[] =>
  [...described]
    .filter(([name, text]) => other.get(name) !== text)
    .map(([name, text]) => ({ sign, name, text, because: deliberate.find((one) => one.name.test(name))?.because }))

const byName = (a: Difference, b: Difference): number =>
  a.name === b.name ? b.sign.localeCompare(a.sign) : a.name.localeCompare(b.name)

export const describeDifference = ({ sign, name, text, because }: Difference): string =>
  [
    `${sign} ${name}${because === undefined ? '' : ` (deliberate: ${because})`}`,
    text.replaceAll(/^/gm, '    '),
    '',
  ].join('\n')
