import assert from 'node:assert/strict'
import { globSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { runInNewContext } from 'node:vm'
import { linkScripts } from '../../src/ui/shared/link-scripts.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

/** Writes the files, and links those that are named. */
function linked(files: Readonly<Record<string, string>>, ...names: string[]): string {
  const folder = temporaryDirectory('scripts')
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return linkScripts(names.map((name) => pathToFileURL(join(folder, name))))
}

/** The values that the linked scripts pass to `show`. */
function shown(files: Readonly<Record<string, string>>, ...names: string[]): unknown[] {
  const values: unknown[] = []
  runInNewContext(linked(files, ...names), { show: (value: unknown) => values.push(value) })
  return values
}

test('files run once, after the files that they import', () => {
  const files = {
    'page.js':
      "// A comment.\nimport { one, two as second } from './parts.js'\nimport './first.js'\n\nshow(one)\nshow(second())\n",
    'parts.js':
      "import {\n  start,\n} from './first.js'\nexport const { one, three } = { one: start, three: 3 }\nexport function two() {\n  return three\n}\n",
    'first.js': "show('first')\nexport const start = 1\n",
    'last.js': "import { start } from './first.js'; // a comment\nshow(start)",
  }
  assert.deepEqual(shown(files, 'page.js', 'last.js', 'first.js'), ['first', 1, 3, 1])
})

test('files can use the same names', () => {
  const files = {
    'one.js': "import { value } from './parts.js'\nconst form = value\nshow(form)\nfunction ask() {}\n",
    'two.js': 'const form = 2\nconst value = 3\nshow(form + value)\nfunction ask() {}\n',
    'parts.js': 'const form = 4\nexport const value = form\n',
  }
  assert.deepEqual(shown(files, 'one.js', 'two.js'), [4, 5])
})

test('comments, strings and templates keep lines that look like imports, exports and comments', () => {
  const text = "\nimport { a } from './a.js'\nexport const b = 1\n// c\nimport('./d.js')\n"
  const files = {
    'page.js': `// A comment that is left out.\nconst text = \`${text}\`\nshow(text)\n/*\nexport const e = 1\n*/\nshow("import('./f.js')")\n`,
  }
  assert.deepEqual(shown(files, 'page.js'), [text, "import('./f.js')"])
  assert.ok(!linked(files, 'page.js').includes('left out'))
})

const rejected: Readonly<Record<string, [code: string, reason: RegExp]>> = {
  'a default import': ["import a from './parts.js'", /it contains "import a from/],
  'a namespace import': ["import * as a from './parts.js'", /it contains "import \* as a/],
  'an import of a default export': ["import { default as a } from './parts.js'", /does not export default/],
  'an import of a package': ["import { a } from 'lodash'", /it contains "import { a } from 'lodash'"/],
  'an import with attributes': ["import { a } from './a.js' with { type: 'json' }", /it contains "import/],
  'an import after other code': ["show(1)\nimport { a } from './parts.js'", /Cannot use import statement/],
  'a dynamic import': ["const a = await import('./parts.js')", /it calls import\(\)/],
  'import.meta': ['show(import.meta.url)', /Cannot use 'import.meta'/],
  'a name that the file does not export': ["import { b } from './parts.js'", /\.\/parts\.js does not export b/],
  'a file that does not exist': ["import { a } from './absent.js'", /ENOENT.*absent\.js/],
  'a name that the file declares, too': [
    "import { a } from './parts.js'\nconst a = 2",
    /'a' has already been declared/,
  ],
  'a default export': ['export default 1', /Unexpected token 'export'/],
  'a list of exports': ['const a = 1\nexport { a }', /Unexpected token 'export'/],
  'a re-export': ["export * from './parts.js'", /Unexpected token 'export'/],
  'an exported variable that can change': ['export let a = 1', /Unexpected token 'export'/],
  'an export in a block': ['{\n  export const a = 1\n}', /Unexpected token 'export'/],
  'a syntax error': ['const = 1', /Unexpected token '='/],
  'a file that imports itself': ["import { a } from './circle.js'", /page\.js cannot be used: it imports itself/],
}
const parts = { 'parts.js': 'export const a = 1\n', 'circle.js': "import './page.js'\nexport const a = 1\n" }

for (const [title, [code, reason]] of Object.entries(rejected))
  test(`rejects ${title}`, () => assert.throws(() => linked({ ...parts, 'page.js': code }, 'page.js'), reason))

test('every page script can be linked', () => {
  const scripts = globSync('src/**/*.js').map((file) => pathToFileURL(file))
  assert.ok(scripts.length > 30)
  assert.ok(linkScripts(scripts))
})
