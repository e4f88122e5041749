import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { startService } from '../packages/client/support.ts'
import { eventually } from '../support/eventually.ts'
import { registered, type SignedIn, signedInAs } from '../support/people.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import type { TestApp } from '../support/test-app.ts'

const directory = temporaryDirectory('follow-events')
const program = join(directory, 'follow-events.mjs')
let app: TestApp
let url: string
let support: SignedIn
const running: ChildProcess[] = []
before(async () => {
  const service = await startService()
  app = service.app
  url = service.url
  support = await signedInAs(app, 'support')
  const [, code] = /<!-- follow-events.mjs -->\n```js\n(.*?)```/s.exec(readFileSync('docs/events.md', 'utf8'))!
  writeFileSync(program, code!.replace(/(?<=sleep\()2000(?=\))/, '50'))
})
after(async () => {
  for (const child of running) child.kill('SIGKILL')
  await app?.stop()
})

function follow() {
  const env = { WARDENRY_URL: url, SUPPORT_EMAIL: support.email, SUPPORT_PASSWORD: support.password }
  const child = spawn(process.execPath, [program], { cwd: directory, env, stdio: ['ignore', 'pipe', 'inherit'] })
  running.push(child)
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  return { output: () => output, stop: () => child.kill('SIGKILL') }
}

test('the program of docs/events.md follows the events, and goes on where it was killed', async () => {
  const first = follow()
  const ada = await registered(app)
  await eventually(() => first.output().includes(`user.created ${ada.id}`))
  assert.match(first.output(), /^read all users/)
  await eventually(() => readFileSync(join(directory, 'cursor'), 'utf8') !== '')
  first.stop()
  const grace = await registered(app, 'grace')
  const second = follow()
  await eventually(() => second.output().includes(`user.created ${grace.id}`))
  assert.doesNotMatch(second.output(), /read all users/)
})
