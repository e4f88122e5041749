import type { Page } from 'playwright-core'
import type { ListedPage } from './list.ts'

/** The pages for administrators. */
export const adminPages: ListedPage[] = [
  { name: 'admin', path: '/admin', as: 'grace' },
  { name: 'admin-refused', path: '/admin', as: 'somebody' },
  { name: 'admin-people', path: '/admin/people', as: 'grace' },
  { name: 'admin-people-filtered', path: '/admin/people?q=ada&verified=false', as: 'grace' },
  { name: 'admin-people-none', path: '/admin/people?q=nobody-of-this-name', as: 'grace' },
  { name: 'admin-new', path: '/admin/people/new', as: 'grace' },
  { name: 'admin-new-refused', path: '/admin/people/new', as: 'grace', act: createWrongly },
  { name: 'admin-bulk', path: '/admin/people?q=ada', leadsTo: '/admin/people/bulk', as: 'grace', act: chooseAll },
  { name: 'admin-person', path: ({ ada }) => Promise.resolve(`/admin/people/${ada.id}`), as: 'grace' },
  { name: 'admin-block', path: ({ ada }) => Promise.resolve(`/admin/people/${ada.id}/block`), as: 'grace' },
  { name: 'admin-edit', path: ({ ada }) => Promise.resolve(`/admin/people/${ada.id}/edit`), as: 'grace' },
  { name: 'admin-role', path: ({ ada }) => Promise.resolve(`/admin/people/${ada.id}/role`), as: 'grace' },
  { name: 'admin-export', path: '/admin/people/export', as: 'grace' },
]

async function createWrongly(page: Page): Promise<void> {
  await page.fill('[name=email]', 'ada@localhost')
  await Promise.all([page.waitForEvent('load'), page.press('[name=email]', 'Enter')])
}

async function chooseAll(page: Page): Promise<void> {
  await page.check('[data-select-all]')
  await Promise.all([page.waitForEvent('load'), page.click('.bar-action button')])
}
