import { continuePage, linkedPage } from '../../src/screens/account/linked/view.ts'
import { deleteAccountPage } from '../../src/screens/account/personal-data/delete/view.ts'
import { personalDataPage } from '../../src/screens/account/personal-data/overview/view.ts'
import type { AccountArea } from '../../src/ui/account/layout.ts'
import type { PageContext } from '../../src/ui/shared/render.ts'

const time = '2026-01-31T12:00:00.000Z'

/** The linked accounts and personal data pages, with `text` in place of all external input. */
export function ownDataPages(text: string, area: AccountArea, page: PageContext): Record<string, string> {
  const account = {
    provider: text,
    provider_user_id: text,
    email: text,
    name: text,
    picture: text,
    is_primary: false,
    linked_at: time,
    last_used_at: time,
  }
  const linked = { area, timeZone: null, hasPasswords: true, forms: { add: text, remove: text } }
  return {
    linked: linkedPage(
      { ...linked, accounts: [account], providers: [{ name: 'google', title: 'Google' }], problem: 'account_exists' },
      page,
    ),
    goOn: continuePage({ area, title: text, url: '/there' }, page),
    personalData: personalDataPage({ area, download: text, problem: 'RATE_LIMITED' }, page),
    deleteNow: deleteAccountPage({ area, email: text, form: text, problem: 'NOT_THE_ADDRESS' }, page),
  }
}
