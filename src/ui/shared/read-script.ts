import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isCode } from './compile-script.ts'

export interface ScriptImport {
  names: { exported: string; local: string }[]
  /** Relative to the importing file. */
  from: string
}

interface PageScript {
  imports: ScriptImport[]
  exports: string[]
  /** Without imports, export keywords and lines that are comments. */
  code: string
}

/** Throws if the script contains imports or exports of a form that `linkScripts` does not support. */
export function readScript(script: URL): PageScript {
  const text = readFileSync(script, 'utf8')
  const { imports, end } = readImports(script, text)
  const { exports, code } = readExports(text.slice(end))
  const call = [...code.matchAll(/\bimport\s*\(/g)].find(({ index }) => isCode(code, index))
  if (call) throw unsupported(script, 'it calls import()')
  return { imports, exports, code: withoutComments(code) }
}

export const unsupported = (script: URL, reason: string): Error =>
  new Error(
    `The page script ${fileURLToPath(script)} cannot be used: ${reason}. ` +
      "Begin the script with its imports, as in import { fill } from './texts.js', and export only declarations.",
  )

const space = /(?:\s|\/\/.*|\/\*[\s\S]*?\*\/)*/y
const importWord = /import(?![\w$(.])/y
const importForm = /import\s*(?:\{([^{}]*)\}\s*from\s*)?(['"])(\.{1,2}\/[^'"\n]+)\2[ \t]*;?[ \t]*(?=\n|\/\/|$)/y

/** Before the first statement, every match is outside of strings and templates. */
function readImports(script: URL, text: string): { imports: ScriptImport[]; end: number } {
  const imports: ScriptImport[] = []
  let end = 0
  for (;;) {
    const start = end + (matchAt(space, text, end)?.[0].length ?? 0)
    if (!matchAt(importWord, text, start)) return { imports, end }
    const found = matchAt(importForm, text, start)
    const names = found && readNames(found[1] ?? '')
    if (!names) throw unsupported(script, `it contains "${text.slice(start).split('\n')[0]}"`)
    imports.push({ names, from: found[3] ?? '' })
    end = start + found[0].length
  }
}

function matchAt(pattern: RegExp, text: string, index: number): RegExpExecArray | null {
  pattern.lastIndex = index
  return pattern.exec(text)
}

/** Reads `a, b as c`. */
function readNames(list: string): ScriptImport['names'] | undefined {
  const items = list.split(',').filter((item) => item.trim() !== '')
  const names = items.map((item) => /^\s*([\w$]+)(?:\s+as\s+([\w$]+))?\s*$/.exec(item))
  if (names.includes(null)) return undefined
  return names.map((found) => ({ exported: found?.[1] ?? '', local: found?.[2] ?? found?.[1] ?? '' }))
}

// Not `let`, because importing files would not see later values.
const exportWord = /^export (?=(?:const|class|(?:async )?function\*?) +(?:([\w$]+)|\{([\w$, ]+)\}))/gm

function readExports(text: string): { exports: string[]; code: string } {
  const bare = text.replace(exportWord, '')
  const exports: string[] = []
  let removed = 0
  const code = text.replace(exportWord, (word, name: string | undefined, list: string | undefined, index: number) => {
    const isExport = isCode(bare, index - removed)
    removed += word.length
    if (!isExport) return word
    exports.push(...(name ?? list ?? '').split(',').map((one) => one.trim()))
    return ''
  })
  return { exports, code }
}

const withoutComments = (code: string): string =>
  code.replace(/^[ \t]*\/\/.*\n/gm, (line, index: number) => (isCode(code, index) ? '' : line))
