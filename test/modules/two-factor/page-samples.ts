import { proofBy } from '../../../src/modules/two-factor/pages/in-core-pages.ts'
import { type OfferedMethod as Factor, secondStepPage } from '../../../src/modules/two-factor/pages/second-step/view.ts'
import { finishPage } from '../../../src/modules/two-factor/pages/security/add/finish-view.ts'
import { addPage } from '../../../src/modules/two-factor/pages/security/add/view.ts'
import { type Sections, sectionsOf } from '../../../src/modules/two-factor/pages/security/list/view.ts'
import { proofPage } from '../../../src/modules/two-factor/pages/security/proof/view.ts'
import type { ListedMethod } from '../../../src/modules/two-factor/pages/security/shared/methods.ts'
import { password, reauthenticatePage } from '../../../src/screens/account/confirm/view.ts'
import { accountSecurityPage } from '../../../src/screens/account/security/list/view.ts'
import { loginPage } from '../../../src/screens/sign-in/login/view.ts'
import type { AccountArea } from '../../../src/ui/account/layout.ts'
import type { SecurityPart } from '../../../src/ui/account/security-part.ts'
import type { PageContext } from '../../../src/ui/shared/render.ts'
import type { PageSamples } from '../../screens/account-pages.ts'

type FactorOf = (text: string) => Factor

export const pageSamples: PageSamples = (text, area, page) => ({
  ...securityPages(text, area, page),
  ...signInPages(text, page),
  ...confirmPages(text, page),
})

const mail: FactorOf = (text) => ({ id: `mail${text}`, method: 'email', identifier: text })
const passkey: FactorOf = (text) => ({ id: `key${text}`, method: 'passkey', identifier: null })

function signInPages(text: string, page: PageContext): Record<string, string> {
  const ways = {
    passkey: { autofill: false },
    byMail: true,
    password: true,
    registerPath: '/register',
    providers: [{ name: text, title: text }],
  }
  const forms = { verify: text, send: text, logout: text }
  const step = { forms, methods: [mail(text), passkey(text)], next: '/account' }
  return {
    loginByPasskey: loginPage({ formToken: text, ways, next: '/account' }, page),
    secondStep: secondStepPage({ ...step, chosen: mail(text), problem: 'INVALID_CODE', attemptsLeft: 1 }, page),
    secondStepByPasskey: secondStepPage({ ...step, chosen: passkey(text) }, page),
  }
}

function confirmPages(text: string, page: PageContext): Record<string, string> {
  const [byMail, byPasskey] = [proofBy(mail(text)), proofBy(passkey(text))]
  const confirm = {
    email: text,
    forms: { confirm: text, send: text, logout: text },
    proofs: [password, byMail, byPasskey],
    next: `/account?x=${text}`,
  }
  return {
    confirmByPasswordOrFactor: reauthenticatePage(
      { ...confirm, chosen: password, problem: 'INVALID_CURRENT_PASSWORD' },
      page,
    ),
    confirmByMail: reauthenticatePage({ ...confirm, chosen: byMail, sendOutcome: 'sent' }, page),
    confirmByPasskey: reauthenticatePage({ ...confirm, chosen: byPasskey }, page),
  }
}

/** The second-factor pages, with `text` in place of all external input. */
function securityPages(text: string, area: AccountArea, page: PageContext): Record<string, string> {
  const some = { identifier: null, last_used_at: null, created_at: '2026-01-31T12:00:00.000Z', metadata: {} }
  const mail: ListedMethod = { ...some, id: `mail${text}`, method: 'email', status: 'active', identifier: text }
  const totp: ListedMethod = { ...some, id: `totp${text}`, method: 'totp', status: 'pending_setup' }
  const passkey: ListedMethod = {
    ...some,
    id: `key${text}`,
    method: 'passkey',
    status: 'active',
    metadata: { name: text },
  }
  const recovery: ListedMethod = {
    ...some,
    id: `codes${text}`,
    method: 'recovery',
    status: 'active',
    metadata: { remaining: 1 },
  }
  const methods = [mail, totp, passkey, recovery]
  const listForms = { on: text, recovery: text, remove: text }
  const list = (state: Pick<Sections, 'methods' | 'offered' | 'isOn'>) => {
    const part: SecurityPart = {
      sections: (lang) => sectionsOf({ ...state, isRequired: false, timeZone: null, forms: listForms }, lang),
      outcomes: () => ({ done: {}, rejections: {} }),
      addAddress: () => '/account',
      removalAddress: undefined,
    }
    const own = { passkeys: [], codes: null, codesForm: text, canAdd: false }
    return accountSecurityPage({ area, parts: [part], ...own, timeZone: null }, page)
  }
  const forms = { finish: text, resend: text, add: text }
  const started = { secret: text, otpauth_url: 'otpauth://totp/ada', qr_svg: '<svg viewBox="0 0 1 1"></svg>' }
  const proof = { area, methods, forms: { prove: text, send: text } }
  const finish = { area, methodId: text, forms }
  return {
    securityOn: list({ methods, offered: ['totp', 'passkey'], isOn: true }),
    securityOff: list({ methods: [], offered: ['email'], isOn: false }),
    addMail: addPage({ area, kind: 'email', form: text, value: text, problem: 'ADDRESS' }, page),
    finishTotp: finishPage({ ...finish, kind: 'totp', started, problem: 'INVALID_CODE', attemptsLeft: 1 }, page),
    finishMail: finishPage({ ...finish, kind: 'email', started: {}, sendOutcome: 'sent' }, page),
    removeByMail: proofPage({ ...proof, action: { kind: 'remove', target: passkey }, chosen: mail }, page),
    removeByPasskey: proofPage({ ...proof, action: { kind: 'remove', target: mail }, chosen: passkey }, page),
    switchOff: proofPage({ ...proof, action: { kind: 'toggle' }, chosen: recovery, problem: 'INVALID_CODE' }, page),
  }
}
