import { invalidField } from '../lib/errors.ts'

/** The parts of a text, in order: literal text and variables. */
export type Piece = { text: string } | { variable: string }

/** `{{name}}` is the only syntax, so a template cannot contain expressions or loops. Throws VALIDATION_ERROR. */
export function piecesOf(field: string, source: string, variables: readonly string[]): Piece[] {
  // The pattern has a capturing group, so every second part of the result is a placeholder name.
  return source.split(/(?<!\{)\{\{ *([a-z_]+) *\}\}(?!\})/).flatMap((part, index): Piece[] => {
    if (index % 2 === 1) return [{ variable: knownVariable(field, part, variables) }]
    const [, stray] = /(\{\{.{0,20}|\}\})/su.exec(part) ?? []
    if (stray) throw invalidField(field, `contains "${stray}", which is not a placeholder such as {{app_name}}`)
    return part === '' ? [] : [{ text: part }]
  })
}

function knownVariable(field: string, name: string, variables: readonly string[]): string {
  if (variables.includes(name)) return name
  const known = variables.map((one) => `{{${one}}}`).join(', ')
  throw invalidField(field, `contains {{${name}}}, which is unknown here${known && `; use ${known}`}`)
}

export const variablesIn = (pieces: readonly Piece[]): string[] =>
  pieces.flatMap((piece) => ('variable' in piece ? [piece.variable] : []))

/** Never looks for placeholders in a value. If the name is empty, `Hello {{name}},` becomes `Hello,`. */
export function fillPieces(pieces: readonly Piece[], lookUp: (variable: string) => string): string {
  let filled = ''
  for (const piece of pieces) {
    const added = 'text' in piece ? piece.text : lookUp(piece.variable)
    filled = added === '' ? filled.replace(/ $/, '') : filled + added
  }
  return filled
}
