const code = { quote: 34, colon: 58, openBracket: 91, backslash: 92, closeBracket: 93, openBrace: 123, closeBrace: 125 }

export interface JsonForm {
  depth: number
  /** The number of members, including duplicates. */
  members: number
}

/** Does not detect invalid JSON, because the parser rejects it afterwards. */
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

/** The first duplicate member name. Escapes are decoded: `a` and `\u0061` are the same name. */
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

function endOfString(text: string, start: number): number {
  let at = start + 1
  for (; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === code.quote) return at
    if (character === code.backslash) at++
  }
  return at
}

function isName(text: string, end: number): boolean {
  let at = end + 1
  while (/\s/.test(text.charAt(at))) at++
  return text.charCodeAt(at) === code.colon
}
