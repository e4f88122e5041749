import { allowedFunctions, allowedRules } from './allowed.ts'

/** Percent-encoding is rejected, because browsers decode it before they look up the id. */
const fragment = /^#([\p{L}\p{N}_.:-]+)$/u

export const fragmentIn = (reference: string): string | undefined => fragment.exec(reference.trim())?.[1]

/** Returns the ids to which style sheets and presentation attributes refer with `url(#id)`. */
export const fragmentsOf = (css: string): string[] =>
  [...css.matchAll(/url\(\s*["']?#([^"')\s]+)/gi)].map(([, id = '']) => id)

/** Returns what makes the style sheet or presentation attribute unacceptable, or undefined. */
export function problemInCss(css: string): string | undefined {
  if (css.includes('\\')) return 'a backslash'
  // Custom properties and animations could repeat a reference where it is not counted.
  if (/--/.test(css) && /url\(/i.test(css)) return 'a custom property beside a reference'
  for (const [, name = ''] of css.matchAll(/@([\w-]*)/g))
    if (!allowedRules.has(name.toLowerCase())) return `the rule @${name}`
  // The lookbehind keeps the time linear if a text consists of one long word.
  for (const [, name = ''] of css.matchAll(/(?<![\w-])([\w-]+)\(/g))
    if (!allowedNames.has(name.toLowerCase())) return `the function ${name}()`
  for (const [, reference = ''] of css.matchAll(/url\(([^)]*)/gi))
    if (fragmentIn(reference.replace(/^\s*(["'])(.*)\1\s*$/, '$2')) === undefined) return 'an external reference'
  return undefined
}

const allowedNames = new Set([...allowedFunctions].map((name) => name.toLowerCase()))
