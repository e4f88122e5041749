import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type ESTree, parseSync, Visitor } from 'rolldown/utils'
import { compileMails, mailFolders } from './compile-mails.ts'
import { compileTemplate, type Templates } from './compile-template.ts'
import type { Segment } from './parse-template.ts'

/** Data that a template is rendered with. */
interface Render {
  data: ESTree.Node
  isShorthand: boolean
  templates: string[]
  /** The function of `template-types.ts` that adds the members that the code which renders the template adds. */
  kind: 'page' | 'area' | 'plain'
}

/** Returns the source with the templates as arguments of a call around their data, or undefined without templates. */
export function compileView(templates: Templates, file: string, source: string): Segment[] | undefined {
  const folders = mailFolders(file)
  if (folders.length === 0 && !/\.eta'|\.render\('/.test(source)) return undefined
  const { program } = parseSync(file, source)
  const found = rendersIn(templates, file, source, program)
  const mails = folders.flatMap((folder) => compileMails(templates, folder, program))
  if (found.length + mails.length === 0) return undefined
  const segments: Segment[] = []
  let at = 0
  const copyTo = (end: number) => {
    segments.push({ code: source.slice(at, end), place: { file, line: source.slice(0, at).split('\n').length } })
    at = end
  }
  for (const { data, isShorthand, templates: files, kind } of found) {
    copyTo(data.start)
    segments.push({ code: `${isShorthand ? 'data: ' : ''}$eta.${kind}(` })
    copyTo(data.end)
    for (const one of files) {
      templates.rendered.add(one)
      segments.push({ code: ', (it) => {\n' }, ...compileTemplate(templates, one), { code: 'void it }' })
    }
    segments.push({ code: ')' })
  }
  copyTo(source.length)
  return segments.concat(mails)
}

function rendersIn(templates: Templates, file: string, source: string, program: ESTree.Program): Render[] {
  const constants = new Map<string, ESTree.Node>()
  const found: Render[] = []
  const templatesIn = (node: ESTree.Node): string[] => {
    const value = node.type === 'Identifier' ? (constants.get(node.name) ?? node) : node
    const names = source.slice(value.start, value.end).matchAll(/'([^']+\.eta)'/g)
    return [...names].map(([, name]) => join(dirname(file), name!))
  }
  new Visitor({
    VariableDeclarator({ id, init }) {
      if (id.type === 'Identifier' && init) constants.set(id.name, init)
    },
    ObjectExpression({ properties }) {
      const members = new Map(properties.flatMap((one) => (one.type === 'Property' ? [[nameOf(one), one]] : [])))
      const [template, data] = [members.get('template'), members.get('data')]
      const files = template && data ? templatesIn(template.value) : []
      if (!data || files.length === 0) return
      const kind = members.has('shape') ? 'page' : 'area'
      found.push({ data: data.value, isShorthand: data.shorthand, templates: files, kind })
    },
    CallExpression({ callee, arguments: [name, data] }) {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return
      if (callee.property.name !== 'render' || name?.type !== 'Literal' || !data) return
      const folders = [dirname(file), join(dirname(file), 'templates'), templates.partials]
      const one = folders.map((folder) => join(folder, `${name.value}.eta`)).find((path) => existsSync(path))
      if (one) found.push({ data, isShorthand: false, templates: [one], kind: 'plain' })
    },
  }).visit(program)
  return found.sort((a, b) => a.data.start - b.data.start)
}

const nameOf = ({ key }: ESTree.ObjectProperty): string => (key.type === 'Identifier' ? key.name : '')
