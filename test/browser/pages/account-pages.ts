import type { Page } from 'playwright-core'
import { drawn } from '../../pictures/support.ts'
import { person } from '../../support/people.ts'
import { openMenu } from '../menu.ts'
import type { ListedPage } from './list.ts'

/** The profile, credentials and sessions pages. */
export const accountPages: ListedPage[] = [
  { name: 'account', path: '/account', as: 'ada' },
  { name: 'account-menu', path: '/account', as: 'grace', act: openMenu },
  { name: 'account-acting', path: '/account', as: 'acting' },
  { name: 'account-acting-refused', path: '/account/profile', as: 'acting', act: renameWhileActing },
  { name: 'account-confirm', path: '/account/confirm', as: 'ada' },
  { name: 'account-confirm-passkey', path: '/account/confirm?way=passkey', as: 'grace' },
  { name: 'profile', path: '/account/profile', as: 'ada' },
  { name: 'profile-saved', path: '/account/profile?done=profile_saved', as: 'ada' },
  { name: 'profile-refused', path: '/account/profile', as: 'somebody', act: renameWrongly },
  { name: 'profile-picture', path: '/account/profile', as: 'ada', act: choosePicture },
  { name: 'email', path: '/account/email', as: 'ada' },
  { name: 'email-pending', path: '/account/email', as: 'somebody', act: askForChange },
  { name: 'password', path: '/account/password', as: 'ada' },
  { name: 'password-refused', path: '/account/password', as: 'somebody', act: choosePassword },
  { name: 'sessions', path: '/account/sessions', as: 'ada' },
]

const answered = (page: Page, field: string) =>
  Promise.all([page.waitForEvent('load'), page.press(`[name=${field}]`, 'Enter')])

async function renameWrongly(page: Page): Promise<void> {
  await page.fill('[name=user_name]', 'a b')
  await answered(page, 'user_name')
}

async function renameWhileActing(page: Page): Promise<void> {
  await page.fill('[name=last_name]', 'Byron')
  await answered(page, 'last_name')
}

async function choosePicture(page: Page): Promise<void> {
  const buffer = await drawn(600, 400).png().toBuffer()
  await page.setInputFiles('#picture', { name: 'me.png', mimeType: 'image/png', buffer })
  await page.waitForSelector('#crop[open]')
}

async function askForChange(page: Page): Promise<void> {
  await page.fill('[name=new_email]', person().email)
  await answered(page, 'new_email')
}

async function choosePassword(page: Page): Promise<void> {
  await page.fill('[name=current_password]', 'not the password')
  await page.fill('[name=new_password]', person('grace').password)
  await answered(page, 'new_password')
}
