// Setup: own process
// The bundler adds listeners to the process.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { temporaryDirectory } from '../../support/temporary-directory.ts'

const root = join(import.meta.dirname, '../../..')

test('the code of the README renders on a server', async () => {
  const code = /```jsx\n(.*?)```/s.exec(readFileSync(join(root, 'packages/react/README.md'), 'utf8'))?.[1]
  const directory = temporaryDirectory('react-readme')
  const page = `import { renderToString } from 'react-dom/server'
    export const rendered = (initialUser) => renderToString(<App initialUser={initialUser} />)`
  writeFileSync(join(directory, 'page.jsx'), `${code}\n${page}`)
  const bundle = await rolldown({
    input: join(directory, 'page.jsx'),
    platform: 'node',
    resolve: {
      alias: { '@wardenry/react': join(root, 'packages/react/src/index.ts') },
      modules: [join(root, 'node_modules')],
    },
  })
  const file = join(directory, 'page.mjs')
  await bundle.write({ file, format: 'esm' })
  await bundle.close()
  const { rendered } = await import(pathToFileURL(file).href)
  assert.match(rendered({ name: 'Ada' }), /Hello (<!-- -->)?Ada/)
  assert.match(rendered(null), /Sign in/)
  assert.equal(rendered(undefined), '')
})
