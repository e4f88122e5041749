import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { samplesFile } from '../../scripts/application-samples.ts'

test('the samples of the console are those of the documents; npm run docs writes them', () => {
  assert.equal(readFileSync('src/screens/console/applications/connect/samples.json', 'utf8'), samplesFile())
})
