import { existsSync, globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type ESTree, Visitor } from 'rolldown/utils'
import { compileTemplate, type Templates } from './compile-template.ts'
import type { Segment } from './parse-template.ts'

/** The folders next to the file that have a folder of templates for each language. */
export const mailFolders = (file: string): string[] =>
  ['templates', 'mails'].map((name) => join(dirname(file), name)).filter((folder) => existsSync(join(folder, 'en')))

/** Returns a call for each template of each message that the program declares in a constant such as `coreMessages`. */
export function compileMails(templates: Templates, folder: string, program: ESTree.Program): Segment[] {
  const segments: Segment[] = []
  new Visitor({
    VariableDeclarator({ id, init }) {
      if (id.type !== 'Identifier' || !/(Mails|Messages)$/.test(id.name)) return
      for (const name of membersOf(init))
        for (const path of globSync(`*/${name}.eta`, { cwd: folder })) {
          const file = join(folder, path)
          templates.rendered.add(file)
          const start = { code: `$eta.mail(${id.name}.${name}, (it) => {\n` }
          segments.push(start, ...compileTemplate(templates, file), { code: 'void it })\n' })
        }
    },
  }).visit(program)
  return segments
}

function membersOf(node: ESTree.Node | null): string[] {
  if (node?.type === 'TSAsExpression' || node?.type === 'TSSatisfiesExpression') return membersOf(node.expression)
  if (node?.type !== 'ObjectExpression') return []
  return node.properties.flatMap((one) =>
    one.type === 'Property' && one.key.type === 'Identifier' ? [one.key.name] : [],
  )
}
