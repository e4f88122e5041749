export type HexColour = string

/** Returns the contrast ratio defined by WCAG 2.2, from 1 to 21. */
export function contrast(one: HexColour, other: HexColour): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((left, right) => left - right)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(colour: HexColour): number {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((value) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Mixes two colours. A `share` of 0 returns `one`, and 1 returns `other`. */
export function mixed(one: HexColour, other: HexColour, share: number): HexColour {
  const added = channels(other)
  const values = channels(one).map((value, index) => Math.round(value + ((added[index] ?? 0) - value) * share))
  return `#${values.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}

export function readableOn(backgrounds: HexColour[], colour: HexColour, towards: HexColour): HexColour {
  const isRead = (one: HexColour) => backgrounds.every((background) => contrast(one, background) >= enough)
  for (let share = 0; share < 1; share += 0.02) {
    const nearer = mixed(colour, towards, share)
    if (isRead(nearer)) return nearer
  }
  return towards
}

export const inkOn = (colour: HexColour): HexColour =>
  contrast('#ffffff', colour) >= contrast('#0b100e', colour) ? '#ffffff' : '#0b100e'

/** WCAG 2.2, success criterion 1.4.3, requires a contrast ratio of 4.5. The margin allows for rounding. */
const enough = 4.55

const channels = (colour: HexColour): number[] =>
  [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16))
