import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'

/** The id of the focused element, or its text if it has no id. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate<string>('document.activeElement.id || document.activeElement.textContent.trim()')

/** Moves the focus to an element using only the Tab key, as users without a mouse do. */
export async function tabTo(page: Page, what: string): Promise<void> {
  for (let count = 0; (await focused(page)) !== what; count++) {
    assert.ok(count < 20, `${what} is not reached`)
    await page.keyboard.press('Tab')
  }
}

/** Moves the focus to a control with the Tab key and presses Enter. */
export async function press(page: Page, selector: string): Promise<void> {
  await page.waitForSelector(selector)
  for (let count = 0; (await page.locator(`${selector}:focus`).count()) === 0; count++) {
    assert.ok(count < 60, `${selector} is not reached`)
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('Enter')
}
