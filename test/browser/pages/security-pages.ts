import type { Page } from 'playwright-core'
import { withSession } from '../../support/people.ts'
import type { ListedPage } from './list.ts'
import type { World } from './world.ts'

const list = '/account/security'

/** The pages of passkeys and second factors. Ada has an authenticator. */
export const securityPages: ListedPage[] = [
  { name: 'security', path: list, as: 'ada' },
  { name: 'security-add-totp', path: `${list}/methods/add?method=totp`, as: 'ada' },
  { name: 'security-totp', path: `${list}/methods/add?method=totp`, as: 'ada', act: submit },
  { name: 'security-totp-refused', path: `${list}/methods/add?method=totp`, as: 'ada', act: enterWrongCode },
  { name: 'security-add-mail', path: `${list}/methods/add?method=email`, as: 'ada' },
  { name: 'security-mail', path: `${list}/methods/add?method=email`, as: 'ada', act: submit },
  { name: 'security-add-passkey', path: `${list}/add`, as: 'ada' },
  { name: 'security-add-passkey-refused', path: `${list}/add`, as: 'ada', act: submitWithoutScript },
  { name: 'security-passkey', path: list, as: 'grace' },
  { name: 'security-passkey-rename', path: passkeyPage('rename'), as: 'grace' },
  { name: 'security-passkey-remove', path: passkeyPage('remove'), as: 'grace' },
  { name: 'security-remove', path: removal, as: 'ada' },
  { name: 'security-off', path: `${list}/off`, as: 'ada' },
  { name: 'security-codes', path: list, as: 'ada', act: makeCodes },
]

async function removal({ app, ada }: World): Promise<string> {
  const { json } = await app.get('/auth/two_factor/methods', withSession(ada.sessionToken))
  return `${list}/remove?id=${json.methods.find(({ method }: { method: string }) => method === 'totp').id}`
}

function passkeyPage(page: 'rename' | 'remove') {
  return async ({ app, grace }: World): Promise<string> => {
    const { json } = await app.get('/auth/passkeys', withSession(grace.sessionToken))
    return `${list}/passkeys/${page}?id=${json.passkeys[0].id}`
  }
}

async function submit(page: Page): Promise<void> {
  await Promise.all([page.waitForEvent('load'), page.click('.section form button:not([type=button])')])
}

/** The service then says what a passkey requires. */
async function submitWithoutScript(page: Page): Promise<void> {
  await Promise.all([page.waitForEvent('load'), page.evaluate('document.getElementById("add-passkey").submit()')])
}

async function enterWrongCode(page: Page): Promise<void> {
  await submit(page)
  await page.fill('#code', '000000')
  await submit(page)
}

async function makeCodes(page: Page): Promise<void> {
  await Promise.all([page.waitForEvent('load'), page.click('form[action$="/recovery"] button')])
}
