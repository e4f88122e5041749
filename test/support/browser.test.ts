import assert from 'node:assert/strict'
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
