import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { printSample } from '../../src/modules/oauth/samples/print-sample.ts'
import { startLiveService } from '../modules/oauth/live.ts'
import { webClient } from '../modules/oauth/sign-in-support.ts'
import { openBrowser, skipWithoutChromium } from '../support/browser.ts'
import { freePort } from '../support/free-port.ts'
import { registered } from '../support/people.ts'
import { findModAuthOpenidc, noModAuthOpenidc, startApache } from '../support/proxies.ts'

const skip = skipWithoutChromium() || (findModAuthOpenidc() ? false : noModAuthOpenidc)

test('Apache with mod_auth_openidc signs users in with the printed settings', { skip }, async (t) => {
  const service = await startLiveService({ rotates: false })
  t.after(() => service.app.stop())
  // The application behind Apache reads the claims from the headers of the module.
  const seen: NodeJS.Dict<string | string[]>[] = []
  const application = createServer((request, response) => {
    seen.push(request.headers)
    response.end('the private page')
  })
  await new Promise<void>((resolve) => application.listen(0, '127.0.0.1', resolve))
  t.after(() => new Promise((resolve) => application.close(resolve)))
  const port = await freePort()
  const redirect = `http://localhost:${port}/oidc/callback`
  const { clientId, secret } = await webClient(service.admin, { redirect_uris: [redirect] })
  const settings = await printSample(service.app.ctx, clientId, 'apache')
  const behind = `ProxyPass / http://127.0.0.1:${(application.address() as AddressInfo).port}/`
  const site = () => `${settings}\n${behind}\n`
  const env = { CLIENT_SECRET: secret, CRYPTO_PASSPHRASE: randomBytes(24).toString('hex') }
  const apache = await startApache(port, site, env, ['authn_core', 'authz_user', 'auth_openidc'])
  t.after(() => apache.stop())
  const user = await registered(service.app)
  const browser = await openBrowser()
  t.after(() => browser.close())
  const page = await browser.newPage()
  await page.goto(`http://localhost:${port}/private`)
  await page.fill('[name=identifier]', user.email)
  await page.fill('[name=password]', user.password)
  await page.click('main form button:not([type=button])')
  await page.waitForURL(/\/oauth\/consent/)
  await page.click('button[value=allow]')
  await page.waitForURL(`http://localhost:${port}/private`)
  assert.equal(await page.innerText('body'), 'the private page')
  const headers = seen.at(-1)
  assert.equal(headers?.oidc_claim_sub, user.id)
  assert.equal(headers?.oidc_claim_email, user.email)
})
