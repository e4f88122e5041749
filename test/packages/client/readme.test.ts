import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { SessionStore } from '../../../packages/client/src/index.ts'
import { signedInAs } from '../../support/people.ts'
import type { TestApp } from '../../support/test-app.ts'
import { startService, storeOf } from './support.ts'

const folder = new URL('../../../packages/client/', import.meta.url).pathname
const readme = readFileSync(join(folder, 'README.md'), 'utf8')
const examples = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code)

let app: TestApp
let url: string
let place: string
before(async () => {
  const service = await startService()
  app = service.app
  url = service.url
  place = mkdtempSync(join(folder, 'readme-'))
})
after(async () => {
  rmSync(place, { recursive: true, force: true })
  await app?.stop()
})

declare global {
  var readmeSession: SessionStore
}

test('every example of the README runs against the service', async (t) => {
  t.after(() => Reflect.deleteProperty(globalThis, 'readmeSession'))
  assert.ok(examples.length >= 6)
  const boss = await signedInAs(app, 'superadmin')
  for (const [number, example] of examples.entries()) {
    const { json } = await app.post('/auth/login', boss)
    globalThis.readmeSession = storeOf(json.sessionId)
    const code = example
      .replace("'@wardenry/client'", JSON.stringify(join(folder, 'src/index.ts')))
      .replaceAll("url: 'https://id.example.com' }", `url: ${JSON.stringify(url)}, session: globalThis.readmeSession }`)
      .replaceAll('https://id.example.com', url)
      .replace('ada@example.com', boss.email)
      .replace("'seven quiet river stones'", JSON.stringify(boss.password))
    const path = join(place, `${number}.ts`)
    writeFileSync(path, code)
    await import(pathToFileURL(path).href).catch((error) => {
      // The example ends a session whose id does not exist.
      if (error.code !== 'NOT_FOUND' || !example.includes('/auth/sessions/{session_id}')) throw error
    })
  }
})
