import type { Area } from '../../src/pages/account/area.ts'
import { confirmPage, type Proof, password } from '../../src/pages/account/confirm-page.ts'
import type { Profile } from '../../src/pages/account/member.ts'
import { overviewPage } from '../../src/pages/account/overview-page.ts'
import type { PageContext } from '../../src/pages/render.ts'

/** The pages of an account, with the same value wherever they take text from outside. */
export function accountPages(text: string, page: PageContext): Record<string, string> {
  const at = (path: string): Area => ({ path, entries: [{ path: '/account', label: 'overview' }], logoutForm: text })
  const { user } = profileOf(text)
  const mail: Proof = { id: `mail${text}`, method: 'email', identifier: text }
  const passkey: Proof = { id: `key${text}`, method: 'passkey', identifier: null }
  const confirm = {
    area: at('/account/confirm'),
    forms: { confirm: text, send: text },
    proofs: [password, mail, passkey],
    next: `/account?x=${text}`,
  }
  return {
    account: overviewPage({ area: at('/account'), user, portrait: { address: undefined, letter: 'A' } }, page),
    confirmByPassword: confirmPage({ ...confirm, chosen: password, problem: 'INVALID_CURRENT_PASSWORD' }, page),
    confirmByMail: confirmPage({ ...confirm, chosen: mail, told: 'sent' }, page),
    confirmByPasskey: confirmPage({ ...confirm, chosen: passkey }, page),
    confirmByNothing: confirmPage({ ...confirm, proofs: [], chosen: undefined }, page),
  }
}

export const profileOf = (text: string): Profile => ({
  user: {
    id: text,
    email: text,
    name: text,
    last_name: text,
    user_name: text,
    picture: '',
    is_verified: false,
    two_factor: false,
    tmz: null,
    dob: null,
    display_name: text,
    gender: text,
    title: text,
  },
  phone: text,
  lang: null,
  has_password: true,
})
