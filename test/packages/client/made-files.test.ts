import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { apiFiles } from '../../../scripts/api-files.ts'
import { completeDescription } from '../../../src/cli/openapi.ts'
import { startTestApp, type TestApp } from '../../support/test-app.ts'

const root = new URL('../../../', import.meta.url)

let app: TestApp
before(async () => {
  app = await startTestApp({ env: { PUBLIC_URL: 'http://localhost:3000' } })
})
after(() => app?.stop())

test('openapi.json and the types of the client are what the routes say; else run: npm run openapi', async () => {
  const made = await apiFiles(completeDescription(app))
  assert.deepEqual(Object.keys(made), [
    'openapi.json',
    'packages/client/src/api.ts',
    'packages/server/src/event-types.ts',
  ])
  for (const [path, text] of Object.entries(made)) {
    const committed = readFileSync(new URL(path, root), 'utf8')
    // The texts are long, so the message contains only the first difference.
    const place = [...text].findIndex((letter, index) => letter !== committed[index])
    const about = `${path} is not up to date from ${JSON.stringify(text.slice(place, place + 80))} on: run npm run openapi`
    assert.ok(text === committed, about)
  }
})
