import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { openBrowser, skipWithoutChromium } from './browser.ts'

test('the browser runs the script of a page', { skip: skipWithoutChromium() }, async () => {
  const browser = await openBrowser()
  try {
    const page = await browser.newPage()
    await page.setContent('<p id="out"></p><script>out.textContent = 6 * 7</script>')
    assert.equal(await page.textContent('#out'), '42')
  } finally {
    await browser.close()
  }
})

// waitForFunction evaluates its condition in the page repeatedly. The content security policy on the service's pages
// blocks this after the first evaluation.
test('no test waits by code that a page evaluates', () => {
  const files = globSync('{test,scripts}/**/*.ts').filter((file) => file !== 'test/support/browser.test.ts')
  const waiting = files.filter((file) => readFileSync(file, 'utf8').includes('waitForFunction'))
  assert.deepEqual(waiting, [])
})
