import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { compileTemplate, Templates, variableOf } from './compile-template.ts'
import { compileView } from './compile-view.ts'
import type { Segment } from './parse-template.ts'

export interface Shadow {
  /** The segments of each written file, by its path. */
  files: Map<string, Segment[]>
  /** The templates that no code renders. */
  unused: string[]
}

const types = `import type { AreaData, PageData, TemplatePath } from './src/ui/shared/render.ts'
type Body<T> = (it: T) => void
export declare function page<T>(data: T, ...bodies: Body<T & PageData>[]): T
export declare function area<T>(data: T, ...bodies: Body<T & AreaData>[]): T
export declare function plain<T>(data: T, ...bodies: Body<T>[]): T
export declare function include<T>(template: TemplatePath<T>, it: NoInfer<T>): void
type Own<M> = M extends { variables: readonly (infer V)[] } ? V : M extends readonly (infer V)[] ? V : never
type Common<M> = M extends { isText: true } ? 'app_name' : 'app_name' | 'name' | 'time'
export declare function mail<M>(message: M, body: Body<Record<Common<M> | Extract<Own<M>, string>, string> & { hasPasswords: boolean }>): void
export declare function text(value: string | number): void
export declare function html(value: string): void
`

/**
 * Writes a copy of each source file that renders templates, with the code of the templates, and a configuration of the
 * compiler that resolves the imports of the copies in the tree.
 */
export function writeShadow(root: string, folder: string): Shadow {
  rmSync(folder, { recursive: true, force: true })
  const templates = new Templates(join(root, 'src/ui/partials'))
  const files = new Map<string, Segment[]>()
  const write = (path: string, segments: Segment[]) => {
    const typesPath = relative(dirname(path), 'template-types.ts')
    const imports = [`import * as $eta from './${typesPath}'\n`]
    for (const file of templates.typed) {
      const target = relative(dirname(path), `${relative(root, file)}.ts`)
      imports.push(`import * as ${variableOf(file)} from './${target}'\n`)
    }
    templates.typed.clear()
    const target = join(folder, path)
    const all = [{ code: imports.join('') }, ...segments]
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, all.map(({ code }) => code).join(''))
    files.set(target, all)
  }
  for (const path of globSync('src/**/*.ts', { cwd: root })) {
    const file = join(root, path)
    const segments = compileView(templates, file, readFileSync(file, 'utf8'))
    if (segments) write(path, segments)
  }
  const all = globSync('src/**/*.eta', { cwd: root }).map((path) => join(root, path))
  for (const file of all) {
    const { type } = templates.read(file)
    if (type === undefined) continue
    const head = [{ code: 'export type It = ' }, { code: type, place: { file, line: 1 } }]
    const start = { code: `\nexport function render(it: It): void {\nvoid $eta\n` }
    write(`${relative(root, file)}.ts`, [...head, start, ...compileTemplate(templates, file), { code: 'void it }\n' }])
  }
  writeFileSync(join(folder, 'template-types.ts'), types)
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(configOf(root, folder)))
  return { files, unused: all.filter((file) => !templates.rendered.has(file)).map((file) => relative(root, file)) }
}

/** The compiler also checks the tree itself, because it has to read most of it anyway. */
function configOf(root: string, folder: string): object {
  const { include, exclude = [] } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'))
  const inTree = (path: string) => join(relative(folder, root), path)
  return {
    extends: inTree('tsconfig.json'),
    compilerOptions: { rootDirs: [relative(folder, root), '.'] },
    include: ['.', ...include.map(inTree)],
    exclude: exclude.map(inTree),
  }
}
