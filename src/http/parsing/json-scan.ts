const code = { quote: 34, colon: 58, openBracket: 91, backslash: 92, closeBracket: 93, openBrace: 123, closeBrace: 125 }

export interface JsonForm {
  /** How many brackets are open at the deepest place. */
  depth: number
  /** Members of all objects, repeated ones included. */
  members: number
}

/**
 * Reads the outline of a JSON text in one pass, before anything is built from it. It makes no string and no call per
 * level; of a text that is not JSON it only says something, which the parser then refuses.
 */
export function scanJson(text: string): JsonForm {
  let [open, depth, members] = [0, 0, 0]
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case code.quote:
        at = endOfString(text, at)
        break
      case code.colon:
        members++
        break
      case code.openBrace:
      case code.openBracket:
        depth = Math.max(depth, ++open)
        break
      case code.closeBrace:
      case code.closeBracket:
        open--
    }
  }
  return { depth, members }
}

/** The first name that an object of this valid JSON text gives twice, escapes read: `a` and `\u0061` are one name. */
export function repeatedName(text: string): string | undefined {
  const open: Set<string>[] = []
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === code.openBrace || character === code.openBracket) open.push(new Set())
    else if (character === code.closeBrace || character === code.closeBracket) open.pop()
    else if (character === code.quote) {
      const end = endOfString(text, at)
      const literal = text.slice(at, end + 1)
      at = end
      if (!isName(text, end)) continue
      const name: string = JSON.parse(literal)
      if (open.at(-1)?.has(name)) return name
      open.at(-1)?.add(name)
    }
  }
  return undefined
}

/** Where the string that begins at `start` has its closing quote. */
function endOfString(text: string, start: number): number {
  let at = start + 1
  for (; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === code.quote) return at
    if (character === code.backslash) at++
  }
  return at
}

/** Whether the string that ends here is followed by a colon. */
function isName(text: string, end: number): boolean {
  let at = end + 1
  while (/\s/.test(text.charAt(at))) at++
  return text.charCodeAt(at) === code.colon
}
