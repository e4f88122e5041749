// Setup: own process
// The bundler adds listeners to the process.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { createElement as h } from 'react'
import { renderToString } from 'react-dom/server'
import { rolldown } from 'rolldown'
import { becomesTrue, openBrowser, skipWithoutChromium } from '../../support/browser.ts'
import { App } from './app.ts'

describe('the components for React in a browser', { skip: skipWithoutChromium() }, () => {
  let server: Server
  let browser: Browser
  let home: string
  /** The back end's response: the user, null if the visitor is not signed in, or an error status. */
  let answer: { name: string } | null | 503 = null
  let asked = 0

  before(async () => {
    const script = await bundled()
    server = createServer((request, reply) => {
      if (request.url === '/app.js') return void reply.setHeader('content-type', 'text/javascript').end(script)
      if (request.url === '/me') {
        asked++
        reply.statusCode = answer === 503 ? 503 : 200
        return void reply.end(JSON.stringify(answer))
      }
      const known = request.url === '/rendered' ? answer : undefined
      const markup = known === undefined || known === 503 ? '' : renderToString(h(App, { initialUser: known }))
      const data = `<script>window.initialUser = ${JSON.stringify(known)}</script>`
      reply
        .setHeader('content-type', 'text/html')
        .end(`<div id="root">${markup}</div>${data}<script src="/app.js"></script>`)
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    home = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    browser = await openBrowser()
  })
  after(async () => {
    await browser?.close()
    server?.close()
  })

  async function opened(path: string): Promise<{ page: Page; complaints: string[] }> {
    const page = await (await browser.newContext()).newPage()
    const complaints: string[] = []
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(String(error)))
    await page.goto(home + path)
    return { page, complaints }
  }

  const shows = (page: Page, text: string) =>
    becomesTrue(page, `document.querySelector('main')?.innerText === '${text}'`)

  test('hydrates the content from the server without a request and without errors', async () => {
    answer = { name: 'Ada' }
    asked = 0
    const { page, complaints } = await opened('/rendered')
    await shows(page, 'signed-in Ada')
    await becomesTrue(page, 'window.isHydrated')
    assert.equal(asked, 0)
    assert.deepEqual(complaints, [])
  })

  test('asks if the server has not rendered a user, and follows changes', async () => {
    answer = null
    const { page, complaints } = await opened('/')
    await shows(page, 'signed-out')
    answer = { name: 'Ada' }
    await page.evaluate('window.changed()')
    await shows(page, 'signed-in Ada')
    answer = null
    await page.click('button')
    await shows(page, 'signed-out')
    assert.deepEqual(complaints, [])
  })

  test('looks again when the page is seen again', async () => {
    answer = { name: 'Ada' }
    const { page } = await opened('/rendered')
    await shows(page, 'signed-in Ada')
    await becomesTrue(page, 'window.isHydrated')
    answer = null
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
    await shows(page, 'signed-out')
  })

  test('shows neither content while the state is unknown', async () => {
    answer = 503
    const { page } = await opened('/')
    await shows(page, 'unknown')
  })
})

async function bundled(): Promise<string> {
  const bundle = await rolldown({
    input: join(import.meta.dirname, 'page.ts'),
    platform: 'browser',
    transform: { define: { 'process.env.NODE_ENV': '"development"' } },
  })
  const { output } = await bundle.generate({ format: 'iife' })
  await bundle.close()
  return output[0].code
}
