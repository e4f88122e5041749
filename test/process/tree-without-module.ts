import { execFile } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { KnownRoute } from '../../src/http/server/route-table.ts'
import { shippedModules } from '../../src/modules/index.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const read = (...path: string[]): string => readFileSync(join(root, ...path), 'utf8')

const copied = [
  'Containerfile',
  'src',
  'test',
  'scripts',
  'bench',
  'bin',
  'bundled',
  'deploy',
  'docs',
  'examples',
  'packages',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'openapi.json',
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'LICENSE',
  'NOTICE',
]

/** Copies the tree. If the directory already contains a copy, replaces it. */
export function copyTree(copy: string): void {
  rmSync(copy, { recursive: true, force: true })
  mkdirSync(copy)
  for (const name of copied)
    cpSync(join(root, name), join(copy, name), { recursive: true, filter: (path) => !path.endsWith('node_modules') })
  for (const installed of globSync('{.,packages/*}/node_modules', { cwd: root }))
    symlinkSync(join(root, installed), join(copy, installed))
  // The bundle contains all modules, so it is not copied: the service runs from its sources.
  mkdirSync(join(copy, 'build'))
  symlinkSync(join(root, 'build/embedded.tar.gz'), join(copy, 'build/embedded.tar.gz'))
}

/** Deletes modules and the modules that depend on them from the copy. Returns the ids of the deleted modules. */
export function deleteModules(copy: string, unwanted: readonly string[]): string[] {
  const ids = globSync('*/module.json', { cwd: join(root, 'src/modules') }).map(dirname)
  const deleted = ids.filter(
    (one) =>
      unwanted.includes(one) ||
      JSON.parse(read('src/modules', one, 'module.json')).depends_on.some((id: string) => unwanted.includes(id)),
  )
  const index = join(copy, 'src/modules/index.ts')
  for (const one of deleted) {
    rmSync(join(copy, 'src/modules', one), { recursive: true })
    writeFileSync(index, withoutModule(readFileSync(index, 'utf8'), one))
  }
  removeErrorCodes(join(copy, 'docs/api.md'), deleted)
  return deleted
}

/** Generates the settings documentation and the API description for the remaining modules. */
export async function generateDocuments(copy: string, env: NodeJS.ProcessEnv): Promise<void> {
  await Promise.all(
    ['docs', 'openapi'].map((script) => run(process.execPath, [`scripts/${script}.ts`], { cwd: copy, env })),
  )
}

function removeErrorCodes(document: string, deleted: readonly string[]): void {
  const codes = definitionsOf(deleted).flatMap(({ errors }) => Object.keys(errors ?? {}))
  const lines = readFileSync(document, 'utf8').split('\n')
  writeFileSync(document, lines.filter((line) => !codes.some((code) => line.startsWith(`| \`${code}\` |`))).join('\n'))
}

const definitionsOf = (ids: readonly string[]) =>
  shippedModules.filter(({ directory }) => ids.some((id) => directory.pathname.endsWith(`/${id}/`)))

function withoutModule(index: string, id: string): string {
  const name = new RegExp(`import \\{ (\\w+) \\} from './${id}/manifest.ts'\n`).exec(index)
  if (!name) throw new Error(`modules/index.ts does not import ${id}`)
  return index.replace(name[0], '').replace(new RegExp(`\\b${name[1]}, |(, |\\b)${name[1]}\\b`), '')
}

/**
 * Removes the test files that need a deleted module from the copy, along with the files that only they import. Returns
 * the remaining test files. A test file needs a module if it contains the module's id, or one of its settings, error
 * codes, messages or routes.
 */
export function remainingTests(copy: string, deleted: readonly string[], routes: readonly KnownRoute[]): string[] {
  const names = definitionsOf(deleted).flatMap(({ settings, errors, mails }) =>
    [settings?.settings, errors, mails].flatMap((one) => Object.keys(one ?? {})),
  )
  const paths = routes
    .filter(({ rule }) => rule.module && deleted.includes(rule.module.id))
    .map(({ url }) => `['"\` ]${url.replace(/[.*+?]/g, '\\$&')}(?=['"\`?])`)
  const ids = deleted.map((id) => `[ '"\`/]${id}(?=['"\`/:,])`)
  const needsIt = new RegExp([...ids, ...paths, ...names.map((name) => `\\b${name}\\b`)].join('|'))
  const files = globSync('{test,bench,scripts}/**/*.ts', { cwd: copy })
  const sources = new Map(files.map((file) => [file, readFileSync(join(copy, file), 'utf8')]))
  const doomed = new Set(files.filter((file) => needsIt.test(sources.get(file) ?? '')))
  // A file that imports a file that needs the module also needs the module. So does a list of mutants that names such a
  // test file.
  for (let size = -1; size !== doomed.size; ) {
    size = doomed.size
    for (const [file, source] of sources) if (importsOf(file, source).some((to) => doomed.has(to))) doomed.add(file)
  }
  for (const file of doomed) rmSync(join(copy, file))
  return files.filter((file) => file.endsWith('.test.ts') && !doomed.has(file)).sort()
}

const importsOf = (file: string, source: string): string[] => [
  ...Array.from(source.matchAll(/'(\.\.?\/[^'\n]+\.ts)'/g), ([, to = '']) => join(dirname(file), to)),
  ...(file.startsWith('test/mutants/')
    ? Array.from(source.matchAll(/'(test\/[^'\n]+\.ts)'/g), ([, to = '']) => to)
    : []),
]
