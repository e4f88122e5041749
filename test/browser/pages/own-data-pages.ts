import type { Page } from 'playwright-core'
import type { ListedPage } from './list.ts'

/** The linked accounts, privacy and onboarding pages. */
export const ownDataPages: ListedPage[] = [
  { name: 'linked', path: '/account/linked', as: 'ada' },
  { name: 'linked-refused', path: '/account/linked?problem=account_exists', as: 'ada' },
  { name: 'privacy', path: '/account/privacy', as: 'ada' },
  { name: 'privacy-history', path: '/account/privacy/history', as: 'ada', act: decide },
  { name: 'privacy-delete', path: '/account/privacy/delete', as: 'ada' },
  { name: 'privacy-delete-pending', path: '/account/privacy/delete', as: 'somebody', act: scheduleDeletion },
  { name: 'account-deletion-pending', path: '/account/privacy/delete', as: 'somebody', act: openOverview },
  { name: 'privacy-delete-refused', path: '/account/privacy/delete', as: 'ada', act: typeAnotherAddress },
  { name: 'keys', path: '/account/keys', as: 'ada' },
  { name: 'onboarding', path: '/account/onboarding', as: 'ada' },
  { name: 'onboarding-refused', path: '/account/onboarding', as: 'somebody', act: omitBusinessName },
]

async function decide(page: Page): Promise<void> {
  await page.goto(new URL('/account/privacy', page.url()).href)
  await Promise.all([page.waitForEvent('load'), page.click('form[action$="/sale"] button')])
  await page.goto(new URL('/account/privacy/history', page.url()).href)
}

async function typeAnotherAddress(page: Page): Promise<void> {
  await page.fill('#email', 'somebody@example.com')
  await page.press('#email', 'Enter')
  await page.waitForSelector('[role=alert]')
}

async function scheduleDeletion(page: Page): Promise<void> {
  const form = page.url()
  await Promise.all([page.waitForEvent('load'), page.click('form[action$="/later"] button')])
  await page.goto(form)
}

async function openOverview(page: Page): Promise<void> {
  await scheduleDeletion(page)
  await page.goto(new URL('/account', page.url()).href)
}

async function omitBusinessName(page: Page): Promise<void> {
  await page.check('#is_business')
  await page.press('#biz_state', 'Enter')
  await page.waitForSelector('#biz_name[aria-invalid]')
}
