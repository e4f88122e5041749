export function inColumns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map(
      (row) =>
        `${row
          .map((text, at) => text.padEnd(widths[at] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}

/** Shortens text to this many columns. Control characters are replaced because terminals interpret them. */
export function fitted(text: string, columns: number): string {
  const shown = printable(text)
  if (widthOf(shown) <= columns) return shown
  let width = 1
  const kept = [...shown].filter((character) => {
    width += widthOf(character)
    return width <= columns
  })
  return `${kept.join('')}…`
}

export const printable = (text: string): string => text.replace(controls, ' ')

/** JSON with escaped control characters, because a terminal would interpret them. */
export function printableJson(value: unknown): string {
  // JSON.stringify escapes only control characters below U+0020. Line breaks are part of the JSON layout.
  const escaped = (character: string) =>
    character === '\n' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  return `${JSON.stringify(value, null, 2).replace(controls, escaped)}\n`
}

const controls = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu

const widthOf = (text: string): number => [...text].reduce((sum, character) => sum + (wide.test(character) ? 2 : 1), 0)

/** East Asian characters and pictographs, which are two columns wide in terminals. */
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|[\u{20000}-\u{3fffd}]/u
