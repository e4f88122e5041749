import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { test } from 'node:test'

const root = resolve(import.meta.dirname, '..')

/** The documents for contributors. Others also name files of applications and of other systems. */
const documents = [
  'CONTRIBUTING.md',
  ...['architecture', 'modules', 'pages', 'testing'].map((name) => `docs/${name}.md`),
  ...globSync('docs/{architecture,decisions}/*.md', { cwd: root }),
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

const pages = globSync(['*.md', 'docs/**/*.md', 'packages/*/*.md', 'examples/**/*.md'], {
  cwd: root,
  exclude: ['**/node_modules/**'],
})
const withoutCode = (text: string): string => text.replaceAll(/^ *```.*?^ *```$/gms, '')

/** The anchors that GitHub and GitLab give to the headings of a page. */
function anchorsOf(path: string): Set<string> {
  const headings = withoutCode(readFileSync(path, 'utf8')).matchAll(/^#{1,6} (.+)$/gm)
  return new Set([...headings].map(([, title = '']) => anchorOf(title)))
}

const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-')

test('every link between documents leads to a file and a heading that exist', () => {
  const dead = pages.flatMap((page) => {
    const text = withoutCode(readFileSync(join(root, page), 'utf8')).replaceAll(/`[^`]*`/g, '')
    const links = text.matchAll(/\]\((?![a-z]+:)([^)\s]+)\)/g)
    return [...links]
      .map(([, link = '']) => link)
      .filter((link) => {
        const [path = '', anchor] = link.split('#')
        const target = path === '' ? join(root, page) : join(root, dirname(page), path)
        return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).has(anchor))
      })
      .map((link) => `${page}: ${link}`)
  })
  assert.deepEqual(dead, [])
})

test('the index of the documents links to each of them', () => {
  const index = readFileSync(join(root, 'docs/README.md'), 'utf8')
  const top = globSync(['docs/*.md', 'docs/*/README.md'], { cwd: root }).map((path) => path.slice('docs/'.length))
  assert.deepEqual(
    top.filter((path) => path !== 'README.md' && !index.includes(`](${path})`)),
    [],
  )
  const questions = [...index.matchAll(/^\| .+\? .*\| .*\]\([^)]+#[^)]+\)/gm)]
  assert.ok(questions.length >= 20, `${questions.length} questions with a heading that answers them`)
})

test('the pages that a newcomer reads first stay short', () => {
  const words = (page: string) => readFileSync(join(root, page), 'utf8').split(/\s+/).length
  assert.ok(words('README.md') <= 1_200)
  assert.ok(words('docs/architecture.md') <= 2_500)
})
