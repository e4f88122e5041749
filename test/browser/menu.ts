import type { Page } from 'playwright-core'
import { press } from './keyboard.ts'

// The navigation of the account and the console is a menu on a narrow screen.

export async function openMenu(page: Page): Promise<void> {
  const button = page.locator('.menu-button')
  if (await button.isVisible()) await button.click()
}

export async function openEntry(page: Page, path: string): Promise<void> {
  await openMenu(page)
  await page.click(`.menu a[href="${path}"]`)
}

/** Opens a page of the navigation with the keyboard only. */
export async function pressEntry(page: Page, path: string): Promise<void> {
  if (await page.locator('.menu-button').isVisible()) await press(page, '.menu-button')
  await press(page, `.menu a[href="${path}"]`)
}
