import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { testReasons, testSteps } from '../../src/applications/sign-in-test/test-steps.ts'
import { adminTextsFor } from '../../src/ui/console/texts/index.ts'
import { startService } from '../packages/client/support.ts'
import { signedInAs } from '../support/people.ts'
import type { TestApp } from '../support/test-app.ts'

let app: TestApp
let url: string
before(async () => {
  const service = await startService()
  app = service.app
  url = service.url
})
after(() => app?.stop())

test('the commands of the document sign a superadmin in and add an application', async () => {
  const { email, password } = await signedInAs(app, 'superadmin')
  const document = readFileSync('docs/applications.md', 'utf8')
  const blocks = [...document.matchAll(/```bash\n(.*?)```/gs)].map(([, code = '']) => code)
  // The test of an application needs one that is running.
  const commands = blocks.filter((code) => code.includes('curl ') && !code.includes('$APPLICATION/test'))
  assert.equal(commands.length, 3)
  const script = commands
    .join('\n')
    .replaceAll('http://localhost:3000', url)
    .replace('you@example.com', email)
    .replace('your password', password)
  const { stdout } = await promisify(execFile)('bash', ['-euc', script], {
    env: { ...process.env, APPLICATION: '' },
  })
  const [added = '', listed = ''] = stdout.split(/(?<=\})\s*(?=\{"success")/)
  const { data } = JSON.parse(added)
  assert.deepEqual([data.key, data.return_addresses], ['shop', ['https://shop.example.com']])
  assert.deepEqual(JSON.parse(listed).data.rejections, [])
})

test('the document and the console explain the same reasons of rejections', () => {
  const document = readFileSync('docs/applications.md', 'utf8')
  const [, section = ''] = /## Why a sign-in was rejected\n(.*?)\n## /s.exec(document) ?? []
  const named = section.split('\n').flatMap((line) => /^\| (`[^|]+) \|/.exec(line)?.[1]?.match(/\w+/g) ?? [])
  const { reasons } = adminTextsFor('en').applications.rejected
  assert.deepEqual(named.filter((name) => name !== 'reason').sort(), Object.keys(reasons).sort())
})

test('the document explains all steps and reasons of a test', () => {
  const document = readFileSync('docs/applications.md', 'utf8')
  const [, section = ''] = /## Test an application\n(.*?)\n## /s.exec(document) ?? []
  const named = section.split('\n').flatMap((line) => /^\| (`[^|]+) \|/.exec(line)?.[1]?.match(/\w+/g) ?? [])
  assert.deepEqual(
    named.filter((name) => !['step', 'reason'].includes(name)).sort(),
    [...testSteps, ...testReasons].sort(),
  )
})
