// Setup: own process
// The bundler adds listeners to the process.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { rolldown } from 'rolldown'
import { temporaryDirectory } from '../../support/temporary-directory.ts'

const root = join(import.meta.dirname, '../../..')
const folder = join(root, 'packages/server')
const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { exports: object }
const directory = temporaryDirectory('browser-bundle')
const installed = join(directory, 'node_modules/@wardenry/server')

before(() => {
  execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', folder, '--outDir', join(installed, 'dist')])
  cpSync(join(folder, 'package.json'), join(installed, 'package.json'))
})

async function bundled(platform: 'browser' | 'node', source: string): Promise<string> {
  const input = join(directory, 'page.js')
  writeFileSync(input, source)
  const bundle = await rolldown({ input, platform, onLog: () => {} })
  const { output } = await bundle.generate()
  await bundle.close()
  return output[0].code
}

const names: Record<string, string> = { '.': 'createWardenry', './next': 'protect' }

for (const entry of Object.keys(manifest.exports)) {
  const specifier = `@wardenry/server${entry.slice(1)}`
  const name = names[entry] ?? 'routes'

  test(`a page that imports ${name} of ${specifier} does not build`, async () => {
    const source = `import { ${name} } from '${specifier}'\nconsole.log(${name})`
    await assert.rejects(bundled('browser', source), /"?servers-only|not exported/)
    assert.match(await bundled('node', source), new RegExp(`${name}`))
  })

  test(`a page that imports all of ${specifier} has nothing of it, and says so`, async () => {
    const code = await bundled('browser', `import * as all from '${specifier}'\nconsole.log(all)`)
    assert.match(code, /only in server code/)
    assert.doesNotMatch(code, /x-bridge-secret|bridgeSecret/)
  })
}
