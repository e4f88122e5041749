import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'

const root = resolve(import.meta.dirname, '..')

/** The documents for contributors. Others also name files of applications and of other systems. */
const documents = [
  'CONTRIBUTING.md',
  ...['architecture', 'modules', 'pages', 'testing'].map((name) => `docs/${name}.md`),
  ...globSync('docs/decisions/*.md', { cwd: root }),
]

/** Paths are relative to the project or to `src`. Any module may have been removed from the tree. */
const exists = (path: string): boolean => {
  const [, module] = /^(?:src\/)?modules\/([\w-]+)\//.exec(`${path}/`) ?? []
  if (module !== undefined && !existsSync(join(root, 'src/modules', module))) return true
  return ['', 'src'].some((base) => existsSync(join(root, base, path)))
}

const pathsIn = (text: string): string[] => [
  ...[...text.matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.(?:css|eta|js|json|sql|ts))`/g)].map(([, path = '']) => path),
  ...[...text.matchAll(/`((?:src|test|scripts)\/[\w./-]+)`/g)].map(([, path = '']) => path),
]

test('every path that a document for contributors names exists', () => {
  const dead = documents.flatMap((document) =>
    pathsIn(readFileSync(join(root, document), 'utf8'))
      .filter((path) => !exists(path))
      .map((path) => `${document}: ${path}`),
  )
  assert.deepEqual(dead, [])
})
