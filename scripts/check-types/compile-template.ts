import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type ESTree, parseSync } from 'rolldown/utils'
import { type ParsedTemplate, type Place, parseTemplate, type Segment } from './parse-template.ts'

/** The templates of one tree. */
export class Templates {
  readonly partials: string
  /** The templates that a source file or another template renders. */
  readonly rendered = new Set<string>()
  /** The templates with their own type that compiled code refers to. */
  readonly typed = new Set<string>()

  constructor(partials: string) {
    this.partials = partials
  }

  read(file: string): ParsedTemplate {
    return parseTemplate(readFileSync(file, 'utf8'))
  }

  /** Returns the path of the template that `include(name)` includes, like `Templates` in `ui/shared/render.ts`. */
  resolve(name: string, from: string): string {
    return join(name.startsWith('./') ? dirname(from) : this.partials, `${name}.eta`)
  }
}

/** The variable in compiled code that holds the module of a template with its own type. */
export const variableOf = (file: string): string => `$${file.replace(/\W/g, '_')}`

/** Returns the statements that a template consists of. Its HTML is left out. */
export function compileTemplate(templates: Templates, file: string, includedAt?: Place): Segment[] {
  for (let place = includedAt; place; place = place.includedAt)
    if (place.file === file) throw new Error(`${file}: a template that includes itself must declare its type`)
  return templates.read(file).tags.flatMap(({ kind, code, line }): Segment[] => {
    const place = { file, line, includedAt }
    if (kind === 'e') return [{ code: `${code}\n`, place }]
    const include = kind === 'r' ? includeIn(code) : undefined
    if (include) return compileInclude(templates, include, place)
    return [{ code: kind === 'r' ? '$eta.html(' : '$eta.text(' }, { code, place }, { code: ')\n' }]
  })
}

interface Include {
  /** The code of the first argument, and the names that it may represent. */
  name: string
  names: string[]
  data: string
}

function includeIn(code: string): Include | undefined {
  const [statement] = parseSync('template.ts', code).program.body
  if (statement?.type !== 'ExpressionStatement') return undefined
  const { expression } = statement
  if (expression.type !== 'CallExpression' || textOf(code, expression.callee) !== 'include') return undefined
  const [name, data] = expression.arguments
  if (!name) return undefined
  return { name: textOf(code, name), names: namesIn(name), data: data ? textOf(code, data) : '{}' }
}

const textOf = (code: string, { start, end }: ESTree.Node): string => code.slice(start, end)

function namesIn(node: ESTree.Node): string[] {
  if (node.type === 'ConditionalExpression') return [...namesIn(node.consequent), ...namesIn(node.alternate)]
  return node.type === 'Literal' && typeof node.value === 'string' ? [node.value] : []
}

function compileInclude(templates: Templates, { name, names, data }: Include, place: Place): Segment[] {
  if (names.length === 0) return [{ code: `$eta.include(${name}, ${data})\n`, place }]
  const choice = names.length > 1 ? [{ code: `void (${name})\n`, place }] : []
  return [
    ...choice,
    ...names.flatMap((one): Segment[] => {
      const file = templates.resolve(one, place.file)
      if (!existsSync(file)) throw new Error(`${place.file}:${place.line}: there is no template ${file}`)
      templates.rendered.add(file)
      if (templates.read(file).type === undefined)
        return [
          { code: `$eta.plain(${data}, (it) => {\n`, place },
          ...compileTemplate(templates, file, place),
          { code: 'void it })\n' },
        ]
      templates.typed.add(file)
      return [{ code: `${variableOf(file)}.render(${data})\n`, place }]
    }),
  ]
}
