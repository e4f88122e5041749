import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fillSample, settingsOf } from '../../../src/screens/console/applications/connect/fill-sample.ts'
import { recipeNamed, recipes } from '../../../src/screens/console/applications/recipes.ts'
import { superadminOf } from '../../applications/support.ts'
import { startTestApp, type TestApp } from '../../support/test-app.ts'
import { signedInBrowser } from '../account/support.ts'
import { textOf } from '../all-pages.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ env: { RATE_LIMIT_ADMIN: '100000/1h', PUBLIC_URL: 'https://id.example.org' } })
})
after(() => app.stop())

const place = (address: string) => ({ publicUrl: 'https://id.example.org', port: 3100, address: new URL(address) })
const named = (name: string) => recipeNamed(name) ?? assert.fail(name)

test('every choice but the one for other languages has files', () => {
  for (const recipe of recipes) {
    const { files } = fillSample(recipe, place(recipe.address === 'scheme' ? 'kiosk://' : 'https://kiosk.example.org'))
    assert.equal(files.length > 0, recipe.name !== 'other', recipe.name)
  }
})

test('the page of every choice shows the addresses of the application and none of the placeholders', async () => {
  const root = await superadminOf(app)
  const browser = await signedInBrowser(app, root)
  const { id } = await root.create('kiosk', { return_addresses: ['https://kiosk.example.org', 'kiosk://'] })
  for (const { name, settings, address } of recipes) {
    const { status, text } = await browser.open(`/admin/applications/${id}/connect?with=${name}`)
    assert.equal(status, 200)
    const shown = textOf(text)
    assert.match(shown, address === 'scheme' ? /kiosk:\/\// : /kiosk\.example\.org/, name)
    for (const setting of settings) if (setting !== 'PORT') assert.match(shown, new RegExp(`${setting}=`), name)
    assert.doesNotMatch(shown, /app\.example\.com|shop:\/\/|id\.example\.com/, name)
    assert.ok(Buffer.byteLength(text) < 64_000, `${name} has ${Buffer.byteLength(text)} bytes`)
  }
  const { text } = await browser.open(`/admin/applications/${id}/connect?with=no-such-recipe`)
  assert.match(textOf(text), /proxy\.js/, 'the usual choice for websites')
})

test('without an address for the choice, the page says so', async () => {
  const root = await superadminOf(app)
  const browser = await signedInBrowser(app, root)
  const { id } = await root.create('scheme-only', { kind: 'mobile', return_addresses: ['only://'] })
  assert.match(textOf((await browser.open(`/admin/applications/${id}/connect?with=express`)).text), /Enter a return/)
  assert.match(textOf((await browser.open(`/admin/applications/${id}/connect`)).text), /only:\/\/callback/)
})

test('commands use the port of a local address, and leave the port to the proxy elsewhere', () => {
  const local = fillSample(named('nextjs'), place('http://127.0.0.1:4100')).run
  assert.match(
    `${local}`,
    /APP_URL=http:\/\/127\.0\.0\.1:4100 \\\nBRIDGE_SECRET=\S+ \\\nnpx next dev -H 127\.0\.0\.1 -p 4100$/,
  )
  assert.match(`${fillSample(named('express'), place('http://127.0.0.1:4100')).run}`, /PORT=4100 \\\nnode main\.js$/)
  assert.doesNotMatch(`${fillSample(named('express'), place('https://kiosk.example.org')).run}`, /PORT/)
  const [file] = fillSample(named('nginx'), place('http://localhost:4100')).files
  assert.match(`${file?.text}`, /listen 127\.0\.0\.1:4100;[\s\S]*proxy_pass http:\/\/127\.0\.0\.1:3100\/auth\/verify/)
})

test('host names that a shell or a configuration file could misread are quoted or left out', () => {
  const hostile = place("https://a$(id)'b.example.org")
  assert.deepEqual(settingsOf(named('express'), hostile).slice(1, 2), [`APP_URL='https://a$(id)'\\''b.example.org'`])
  for (const { text } of fillSample(named('caddy'), hostile).files) assert.ok(!text.includes('$(id)'))
})
