import { finishPage } from '../../src/pages/account/security/add/finish-view.ts'
import { addPage } from '../../src/pages/account/security/add/view.ts'
import { codesPage } from '../../src/pages/account/security/codes/view.ts'
import { listPage } from '../../src/pages/account/security/list/view.ts'
import { proofPage } from '../../src/pages/account/security/proof/view.ts'
import type { Method } from '../../src/pages/account/security/shared/methods.ts'
import type { Area } from '../../src/pages/account/shared/area.ts'
import type { PageContext } from '../../src/pages/shared/render.ts'

/** The pages for second factors, with the same value wherever they take text from outside. */
export function securityPages(text: string, area: Area, page: PageContext): Record<string, string> {
  const some = { identifier: null, last_used_at: null, created_at: '2026-01-31T12:00:00.000Z', metadata: {} }
  const mail: Method = { ...some, id: `mail${text}`, method: 'email', status: 'active', identifier: text }
  const totp: Method = { ...some, id: `totp${text}`, method: 'totp', status: 'pending_setup' }
  const passkey: Method = { ...some, id: `key${text}`, method: 'passkey', status: 'active', metadata: { name: text } }
  const recovery: Method = {
    ...some,
    id: `codes${text}`,
    method: 'recovery',
    status: 'active',
    metadata: { remaining: 1 },
  }
  const methods = [mail, totp, passkey, recovery]
  const list = { area, timeZone: null, forms: { on: text, recovery: text, remove: text } }
  const forms = { finish: text, resend: text, add: text }
  const begun = { secret: text, otpauth_url: 'otpauth://totp/ada', qr_svg: '<svg viewBox="0 0 1 1"></svg>' }
  const proof = { area, methods, forms: { prove: text, send: text } }
  const finish = { area, methodId: text, forms }
  return {
    security: listPage({ ...list, methods, offered: ['totp', 'passkey'], isOn: true, isRequired: false }, page),
    securityOff: listPage(
      { ...list, methods: [], offered: ['email'], isOn: false, isRequired: false, problem: 'PAGE_EXPIRED' },
      page,
    ),
    addMail: addPage({ area, kind: 'email', page: text, value: text, problem: 'ADDRESS' }, page),
    addPasskey: addPage({ area, kind: 'passkey', page: text, value: text }, page),
    finishTotp: finishPage({ ...finish, kind: 'totp', begun, problem: 'INVALID_CODE', attemptsLeft: 1 }, page),
    finishMail: finishPage({ ...finish, kind: 'email', begun: {}, told: 'sent' }, page),
    createPasskey: finishPage({ ...finish, kind: 'passkey', begun: { options: { user: text } } }, page),
    recoveryCodes: codesPage({ area, codes: [text, text], email: text, isFirst: true }, page),
    removeByMail: proofPage({ ...proof, deed: { action: 'remove', target: passkey }, chosen: mail }, page),
    removeByPasskey: proofPage({ ...proof, deed: { action: 'remove', target: mail }, chosen: passkey }, page),
    switchOff: proofPage({ ...proof, deed: { action: 'toggle' }, chosen: recovery, problem: 'INVALID_CODE' }, page),
  }
}
