import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { checkTypes } from '../../scripts/check-types.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

/** A tree with a page, a partial with its own type, a partial without one, and a message. */
const tree = {
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      target: 'esnext',
      module: 'nodenext',
      lib: ['esnext', 'dom'],
      types: [],
      strict: true,
      allowImportingTsExtensions: true,
      noEmit: true,
    },
    include: ['src'],
  }),
  'package.json': '{ "type": "module" }',
  'src/ui/shared/render.ts': `export interface PageData { page: { lang: string } }
export type AreaData = PageData
export type TemplatePath<Data> = string & { readonly data?: Data }
export const renderPage = (view: { template: URL; shape: 'card'; data: object }): object => view.data
`,
  'src/ui/partials/field.eta': `<% /** @param {{ name: string; hint?: string | undefined }} it */ %>
<input name="<%= it.name %>">
<% if (it.hint) { %><p><%= it.hint %></p><% } %>
`,
  'src/ui/partials/badge.eta': '<b><%= it.kind %></b>\n',
  'src/screens/login/login.eta': `<html lang="<%= it.page.lang %>">
<h1><%= it.title %></h1>
<% it.links.forEach(({ path }) => { %><a href="<%= path %>"></a><% }) %>
<%~ include('field', { name: 'email', hint: it.hint }) %>
<%~ include('badge', { kind: 'info' }) %>
`,
  'src/screens/login/view.ts': `import { renderPage } from '../../ui/shared/render.ts'
export const loginPage = (title: string, hint: string | undefined, links: { path: string }[]) =>
  renderPage({ template: new URL('./login.eta', import.meta.url), shape: 'card', data: { title, hint, links } })
`,
  'src/outbox/messages.ts': "export const coreMessages = { code: ['code'], link: { variables: ['url'] } } as const\n",
  'src/outbox/templates/en/code.eta': 'Your code\n<%= it.code %> <%= it.name %>\n',
  'src/outbox/templates/en/link.eta': 'Your link\n<%= it.url %>\n',
}

type Path = keyof typeof tree

/** Checks the tree with one text replaced. */
function errorsWith(path: Path, before: string, after: string): string[] {
  const root = temporaryDirectory('templates')
  for (const [name, content] of Object.entries(tree)) {
    const file = join(root, name)
    mkdirSync(dirname(file), { recursive: true })
    if (name === path) assert.ok(content.includes(before))
    writeFileSync(file, name === path ? content.replace(before, after) : content)
  }
  return checkTypes(root)
}

const login = 'src/screens/login/login.eta'
const view = 'src/screens/login/view.ts'

test('accepts templates that match the data that they are rendered with', () => {
  assert.deepEqual(errorsWith('package.json', 'module', 'module'), [])
})

const mistakes: [name: string, path: Path, before: string, after: string, error: RegExp][] = [
  ['a member that the view renamed', view, 'data: { title,', 'data: { heading: title,', /login\.eta:2: .*'title'/],
  ['a member that only the template renamed', login, 'it.title', 'it.heading', /login\.eta:2: .*'heading'/],
  ['a member that a list has no more', view, '{ path: string }', '{ href: string }', /login\.eta:3: .*'path'/],
  ['a value that may be undefined', view, 'title: string', 'title?: string', /login\.eta:2: .*undefined/],
  ['a partial without a required member', login, "name: 'email', ", '', /login\.eta:4: .*\n?.*'name' is missing/],
  ['a misspelled member of a partial', login, 'hint: it', 'hnit: it', /login\.eta:4: .*'hnit' does not exist/],
  [
    'a member missing for a partial without a type',
    login,
    "{ kind: 'info' }",
    "{ sort: 'info' }",
    /^src\/ui\/partials\/badge\.eta:1: .*'kind'.*\n(?:.*\n)*? {2}included at src\/screens\/login\/login\.eta:5$/,
  ],
  [
    'an unknown variable in a message',
    'src/outbox/templates/en/link.eta',
    'it.url',
    'it.code',
    /link\.eta:2: .*'code'/,
  ],
  [
    'a typed template that nothing renders',
    login,
    "<%~ include('field', { name: 'email', hint: it.hint }) %>",
    '',
    /field\.eta: no source file/,
  ],
  [
    'a template that nothing renders',
    login,
    "<%~ include('badge', { kind: 'info' }) %>",
    '',
    /badge\.eta: no source file/,
  ],
  ['a mistake in a source file', view, 'title: string', 'title: number | Text2', /login\/view\.ts[:(]2.*Text2/],
]

for (const [name, path, before, after, error] of mistakes)
  test(`reports ${name}, with its file and line`, () => {
    const errors = errorsWith(path, before, after)
    assert.ok(
      errors.some((one) => error.test(one)),
      errors.join('\n'),
    )
  })
