import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { completeDescription } from '../../../src/cli/openapi.ts'
import { startTestApp, type TestApp } from '../../support/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ env: { PUBLIC_URL: 'http://localhost:3000' } })
})
after(() => app?.stop())

test('openapi.json is what the routes say; else run: npm run openapi', () => {
  const text = `${JSON.stringify(completeDescription(app), null, 2)}\n`
  const committed = readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8')
  // The text is long, so the message contains only the first difference.
  const place = [...text].findIndex((letter, index) => letter !== committed[index])
  const about = `it is not up to date from ${JSON.stringify(text.slice(place, place + 80))} on: run npm run openapi`
  assert.ok(text === committed, about)
})
