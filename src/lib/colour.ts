/** `#rrggbb`. */
export type Colour = string

/** How well one colour is read on the other, from 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrast(one: Colour, other: Colour): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((left, right) => left - right)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((value) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** So much of `other` in `one`: 0 is `one`, 1 is `other`. */
export function mixed(one: Colour, other: Colour, share: number): Colour {
  const added = channels(other)
  const values = channels(one).map((value, index) => Math.round(value + ((added[index] ?? 0) - value) * share))
  return `#${values.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}

/** The colour, or as much nearer to `towards` as it takes to be read on all of these. */
export function readableOn(backgrounds: Colour[], colour: Colour, towards: Colour): Colour {
  const isRead = (one: Colour) => backgrounds.every((background) => contrast(one, background) >= enough)
  for (let share = 0; share < 1; share += 0.02) {
    const nearer = mixed(colour, towards, share)
    if (isRead(nearer)) return nearer
  }
  return towards
}

/** White or near-black: what is read better on this colour. */
export const inkOn = (colour: Colour): Colour =>
  contrast('#ffffff', colour) >= contrast('#0b100e', colour) ? '#ffffff' : '#0b100e'

/** WCAG 2.2, 1.4.3, with a little to spare for rounding. */
const enough = 4.55

const channels = (colour: Colour): number[] =>
  [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16))
