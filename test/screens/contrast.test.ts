import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

const css = readFileSync(new URL('../../src/ui/assets/pages.css', import.meta.url), 'utf8')
const [light = '', dark = ''] = css.split('@media (prefers-color-scheme: dark)')

// WCAG 2.2 requires a contrast of 4.5 for text (1.4.3), and 3 for the borders of controls and the focus ring (1.4.11).
const pairs: [ink: string, paper: string, ratio: number][] = [
  ...['ink', 'muted', 'accent', 'accent-strong', 'bad', 'good', 'warn', 'note'].flatMap((ink) =>
    ['paper', 'surface'].map((paper): [string, string, number] => [ink, paper, 4.5]),
  ),
  ['ink', 'code', 4.5],
  ['muted', 'code', 4.5],
  ['on-accent', 'accent', 4.5],
  ['on-accent', 'accent-strong', 4.5],
  ...['good', 'note', 'bad', 'warn'].map((name): [string, string, number] => [name, `${name}-soft`, 4.5]),
  ['accent', 'note-soft', 4.5],
  ['on-bad', 'bad', 4.5],
  ['accent', 'accent-soft', 4.5],
  ['control', 'paper', 3],
  ['control', 'surface', 3],
]

for (const [scheme, colours] of Object.entries({ light: coloursIn(light), dark: coloursIn(dark) })) {
  test(`every pair of colours is readable in the ${scheme} scheme`, () => {
    for (const [ink, paper, ratio] of pairs) {
      const measured = contrast(colours[ink] ?? '', colours[paper] ?? '')
      assert.ok(measured >= ratio, `${ink} on ${paper} is ${measured.toFixed(2)}, not ${ratio}`)
    }
  })
}

function coloursIn(text: string): Record<string, string> {
  return Object.fromEntries([...text.matchAll(/--([a-z-]+): (#[0-9a-f]{6});/g)].map((match) => [match[1], match[2]]))
}

function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((left, right) => left - right)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const share = Number.parseInt(colour.slice(start, start + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
