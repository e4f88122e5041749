import { compileError } from './compile-script.ts'
import { readScript, type ScriptImport, unsupported } from './read-script.ts'

interface Linked {
  variable: string
  exports: readonly string[]
}

/** Joins the scripts of a page and the files that they import into one ES module. Each file keeps its own scope. */
export function linkScripts(scripts: readonly URL[]): string {
  const linked = new Map<string, Linked>()
  const parts: string[] = []
  for (const script of scripts) link(script, [])
  return parts.join('\n')

  function link(script: URL, importers: readonly string[]): Linked {
    const known = linked.get(script.href)
    if (known) return known
    if (importers.includes(script.href)) throw unsupported(script, 'it imports itself through another file')
    const { imports, exports, code } = readScript(script)
    const bindings = imports.map((one) =>
      bindingOf(script, one, link(new URL(one.from, script), [...importers, script.href])),
    )
    const result = { variable: `$module${linked.size}`, exports }
    const part = inOwnScope(result, [...bindings, code.trim()].join('\n'))
    const problem = compileError(part)
    if (problem) throw unsupported(script, problem)
    linked.set(script.href, result)
    parts.push(part)
    return result
  }
}

function bindingOf(script: URL, { names, from }: ScriptImport, { variable, exports }: Linked): string {
  const missing = names.find(({ exported }) => !exports.includes(exported))
  if (missing) throw unsupported(script, `${from} does not export ${missing.exported}`)
  const pairs = names.map(({ exported, local }) => (exported === local ? local : `${exported}: ${local}`))
  return `const { ${pairs.join(', ')} } = ${variable}`
}

const inOwnScope = ({ variable, exports }: Linked, body: string): string =>
  exports.length === 0
    ? `{\n${body}\n}`
    : `const ${variable} = (() => {\n${body}\nreturn { ${exports.join(', ')} }\n})()`
