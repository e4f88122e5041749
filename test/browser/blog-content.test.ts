import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { createRenderer } from '../../src/modules/blog/render.ts'
import { hostile } from '../modules/blog/hostile-html.ts'
import { type Author, somebody, startBlog } from '../modules/blog/support.ts'
import { skipWithoutChromium } from '../support/browser.ts'
import { openSite } from '../support/site.ts'
import type { TestApp } from '../support/test-app.ts'

const formats = ['markdown', 'html', 'text'] as const
const all = hostile.join('\n\n')

/** Reports calls to these functions, which the hostile texts contain. */
const reporting = `for (const name of ['alert', 'confirm', 'prompt', 'print']) window[name] = (what) => report(name + ' ' + what)`

/**
 * Inserts the text with a script, dispatches user events to all elements, and counts forbidden elements and attributes.
 */
const rouse = `async (text) => {
  document.querySelector('#inner').innerHTML = text
  for (const element of document.querySelectorAll('a, button, summary, input')) {
    element.addEventListener('click', (event) => event.preventDefault())
    element.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }))
    element.focus()
  }
  await new Promise((resolve) => setTimeout(resolve, 50))
  return document.querySelectorAll(
    'script, style, iframe, object, embed, svg, math, form, input, button, link, meta, base',
  ).length
}`

describe('hostile content in a browser that would run it', { skip: skipWithoutChromium() }, () => {
  let app: TestApp
  let browser: Browser
  let home: string
  let writer: Author
  before(async () => {
    ;({ app, browser, home } = await openSite((url) =>
      startBlog({ PUBLIC_URL: url, RATE_LIMIT_COMMENT: '1000/1m', COMMENTS_REQUIRE_APPROVAL: 'never' }),
    ))
    writer = await somebody(app)
  })
  after(async () => {
    await browser?.close()
    await app?.stop()
  })

  /** A page without a content security policy, and the scripts that ran on it. */
  async function bare(): Promise<{ page: Page; ran: string[] }> {
    const page = await browser.newPage()
    const ran: string[] = []
    await page.exposeFunction('report', (what: string) => ran.push(what))
    await page.addInitScript({ content: reporting })
    page.on('dialog', (dialog) => {
      ran.push(dialog.message())
      void dialog.dismiss()
    })
    // All external resources fail to load so that any `onerror` handlers would run.
    await page.route('**/*', (route) => route.abort())
    return { page, ran }
  }

  /** The HTML is parsed as part of the page and also inserted by a script because the two are parsed differently. */
  async function shown(page: Page, html: string): Promise<number> {
    await page.setContent(`<!doctype html><div id="whole">${html}</div><div id="inner"></div>`, {
      waitUntil: 'domcontentloaded',
    })
    return page.evaluate(`(${rouse})(${JSON.stringify(html)})`)
  }

  test('without sanitizing, the same texts do run', async () => {
    const { page, ran } = await bare()
    assert.ok((await shown(page, '<img src=x onerror=alert(1)><svg onload=alert(2)></svg>')) > 0)
    await page.waitForTimeout(100)
    assert.ok(ran.length > 0)
    await page.close()
  })

  test('bodies, one by one, in every format', async () => {
    const render = createRenderer()
    const { page, ran } = await bare()
    for (const format of formats) {
      const bodies = await Promise.all(hostile.slice(0, 30).map((body) => render({ format, body })))
      for (let start = 30; start < hostile.length; start += 30)
        bodies.push(...(await Promise.all(hostile.slice(start, start + 30).map((body) => render({ format, body })))))
      assert.equal(await shown(page, bodies.map(({ html }) => html).join('<hr>')), 0, format)
    }
    assert.deepEqual(ran, [])
    await page.close()
  })

  test('posts and translations as the API gives them', async () => {
    const { page, ran } = await bare()
    for (const body_format of formats) {
      const id = await writer.write({
        title: all.slice(0, 250),
        excerpt: all.slice(0, 900),
        body: all,
        body_format,
        status: 'published',
      })
      const saved = await writer.call('POST', `/id/${id}/translations`, {
        lang: 'es',
        title: '<script>alert(1)</script>',
        body: all,
      })
      assert.equal(saved.status, 200, saved.text)
      for (const lang of ['en', 'es']) {
        const { body_html } = (await app.get(`/api/v1/posts/id/${id}?lang=${lang}`)).json.data
        assert.equal(await shown(page, body_html), 0)
      }
    }
    assert.deepEqual(ran, [])
    await page.close()
  })

  test('comments are returned unchanged, and never as a page, even if a browser opens them', async () => {
    const id = await writer.write({ title: '<script>alert(1)</script>', status: 'published' })
    for (const text of hostile) {
      const reply = await writer.call('POST', `/${id}/comments`, { comment_body: text })
      if (reply.status === 200) assert.equal(reply.json.data.comment_body, text.normalize('NFC').trim())
      else assert.equal(reply.status, 400)
    }
    const { page, ran } = await bare()
    await page.unroute('**/*')
    for (const path of [`/${id}/comments?limit=100`, `/id/${id}`, `/${id}/translations`]) {
      const reply = await page.goto(`${home}/api/v1/posts${path}`)
      assert.match(reply?.headers()['content-type'] ?? '', /^application\/json/)
      assert.equal(reply?.headers()['x-content-type-options'], 'nosniff')
    }
    const { comment_body } = (await app.get(`/api/v1/posts/${id}/comments?limit=1`)).json.data[0]
    await page.setContent('<p id="said"></p>')
    await page.evaluate(`document.querySelector('#said').textContent = ${JSON.stringify(comment_body)}`)
    assert.equal(await page.locator('#said').textContent(), comment_body)
    assert.deepEqual(ran, [])
    await page.close()
  })
})
