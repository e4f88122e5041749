import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { ConfigError, loadConfig } from '../../src/config/load.ts'
import { contrast } from '../../src/lib/colour.ts'
import { themeOf } from '../../src/pages/shared/theme.ts'
import { openScratch, type Scratch } from '../support/scratch.ts'
import { startTestApp } from '../support/test-app.ts'
import { tagsOf } from './all-pages.ts'

const none = { APP_ACCENT: undefined, APP_LOGO: undefined, APP_TERMS_URL: undefined, APP_PRIVACY_URL: undefined }
const css = readFileSync(new URL('../../src/pages/assets/pages.css', import.meta.url), 'utf8')
const schemes = css.split('@media (prefers-color-scheme: dark)').map(coloursIn)

function coloursIn(text: string): Record<string, string> {
  return Object.fromEntries([...text.matchAll(/--([a-z-]+): ?(#[0-9a-f]{6})/g)].map((match) => [match[1], match[2]]))
}

const hex = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)

test('whatever the accent is, everything in it can be read, in both schemes', () => {
  const pairs = [
    ...['paper', 'surface', 'code', 'note-soft', 'accent-soft'].map((paper) => ['accent', paper]),
    ...['paper', 'surface'].map((paper) => ['accent-strong', paper]),
    ['on-accent', 'accent'],
    ['on-accent', 'accent-strong'],
  ]
  fc.assert(
    fc.property(hex, (accent) => {
      const parts = themeOf({ ...none, APP_ACCENT: accent }).css.split('@media')
      for (const [index, part] of parts.entries()) {
        const colours = { ...schemes[index], ...coloursIn(part) }
        for (const [ink = '', paper = ''] of pairs) {
          const measured = contrast(colours[ink] ?? '', colours[paper] ?? '')
          assert.ok(measured >= 4.5, `${accent}: ${ink} on ${paper} is ${measured.toFixed(2)}`)
        }
      }
      assert.equal(parts.length, 2)
    }),
    { numRuns: 300 },
  )
})

test('an accent that can be read stays as it is', () => {
  assert.match(themeOf({ ...none, APP_ACCENT: '#5b21b6' }).css, /--accent:#5b21b6/)
})

const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 30"><path d="M0 0h9"/></svg>'
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const webp = Buffer.from('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA', 'base64')

describe('a logo', () => {
  let scratch: Scratch
  before(async () => {
    scratch = await openScratch('logo')
  })
  after(() => scratch.close())

  const file = (name: string, content: string | Buffer) => {
    const path = join(scratch.directory, name)
    writeFileSync(path, content)
    return path
  }
  const read = (path: string) => loadConfig({ APP_LOGO: path, DATA_DIR: scratch.directory }).APP_LOGO
  const refusal = (path: string): string => {
    try {
      read(path)
    } catch (error) {
      if (error instanceof ConfigError) return error.message
    }
    return 'taken'
  }

  test('is an SVG, PNG or WebP, whose size is known', () => {
    const sizes = { 'a.svg': svg, 'a.png': png, 'a.webp': webp }
    const seen = Object.entries(sizes).map(([name, content]) => {
      const { type, width, height } = read(file(name, content)) ?? {}
      return [type, width, height]
    })
    assert.deepEqual(seen, [
      ['image/svg+xml', 120, 30],
      ['image/png', 1, 1],
      ['image/webp', 1, 1],
    ])
  })

  test('stops the start with a sentence when it is anything else', () => {
    assert.match(refusal('/no/such/logo.svg'), /APP_LOGO names a file that cannot be read/)
    assert.match(refusal(file('a.gif', 'GIF89a')), /APP_LOGO must be an SVG, PNG or WebP picture/)
    assert.match(refusal(file('big.png', Buffer.alloc(300_000))), /at most 256/)
    assert.match(refusal(file('short.png', png.subarray(0, 20))), /without dimensions/)
    assert.match(refusal(file('plain.svg', '<svg><path d="M0 0h9"/></svg>')), /without dimensions/)
  })

  test('is not so large that a browser spends its memory on it', () => {
    const sides = (width: number, height: number) => {
      const bytes = Buffer.from(png)
      bytes.writeUInt32BE(width, 16)
      bytes.writeUInt32BE(height, 20)
      return refusal(file('sides.png', bytes))
    }
    assert.match(sides(8193, 1), /more than 8192 pixels/)
    assert.match(sides(1, 60_000), /more than 8192 pixels/)
    assert.equal(sides(8192, 8192), 'taken')
    const wide = Buffer.from(webp)
    wide.writeUInt16LE(0x3fff, 26)
    assert.match(refusal(file('wide.webp', wide)), /more than 8192 pixels/)
    assert.equal(refusal(file('wide.svg', svg.replace('120 30', '12000 3000'))), 'taken')
  })

  test('that is an SVG never comes with a script, nor with anything from elsewhere', () => {
    const hostile = {
      'a script': [
        '<script>alert(1)</script>',
        '<svg:script/>',
        '<a-b:script/>',
        '<a href="javascript:alert(1)">x</a>',
      ],
      'an event handler': ['<g onload="alert(1)"/>', '<animate onbegin = "x()"/>'],
      'a document inside': ['<foreignObject><body/></foreignObject>', '<iframe/>'],
      'an entity': ['<!ENTITY x "y">'],
      'an external reference': [
        '<image href="https://evil.example/x.png"/>',
        '<use xlink:href="//evil.example/x.svg#a"/>',
        '<style>@import "x.css"</style>',
        '<style>g{fill:url(https://evil.example/x)}</style>',
        '<image href="data:image/svg+xml;base64,AAAA"/>',
        '<image srcset="https://evil.example/x.png 2x"/>',
        '<style>g{mask:image-set("https://evil.example/x" 1x)}</style>',
      ],
      'an animation of a reference or an event handler': [
        '<a><set attributeName="href" to="x"/></a>',
        '<a><animate values="a>b" attributeName = \'xlink:href\'/></a>',
        '<s:animateTransform attributeName="\nonclick"/>',
      ],
      'a character reference that disguises text': [
        '<set attributeName="&#104;ref"/>',
        '<g fill="&#x75;rl(x)"/>',
        '<style>&#0064;charset "x"</style>',
      ],
      'a backslash': ['<g style="fill:u\\72l(x)"/>', '<style>\\40 import "x"</style>'],
      'elements of XHTML': ['<h:img xmlns:h="http://www.w3.org/1999/xhtml"/>'],
    }
    for (const [what, parts] of Object.entries(hostile))
      for (const part of parts) {
        const path = file('hostile.svg', svg.replace('<path d="M0 0h9"/>', part))
        assert.match(refusal(path), new RegExp(`with ${what}`), part)
      }
    const moving =
      '<set attributeName="fill" to="red"/><animate attributeName="d"/><title>Caf&#233; &#xe9;&#10;&#39;</title>'
    assert.equal(refusal(file('moving.svg', svg.replace('<path d="M0 0h9"/>', moving))), 'taken')
    const harmless = '<defs><g id="a"/></defs><use href="#a" fill="url(#b)"/><image href="data:image/png;base64,AA=="/>'
    assert.equal(refusal(file('harmless.svg', svg.replace('<path d="M0 0h9"/>', harmless))), 'taken')
  })

  test('is on every page, with terms, privacy notice and colour, and served so that nothing in it runs', async (t) => {
    const env = {
      APP_NAME: 'Harbour',
      APP_LOGO: file('word.svg', svg),
      APP_ACCENT: '#5b21b6',
      APP_TERMS_URL: 'https://example.com/terms',
      APP_PRIVACY_URL: 'https://example.com/privacy',
      SUPPORT_URL: 'https://example.com/help',
      SUPPORT_EMAIL: 'help@example.com',
    }
    const app = await startTestApp({ env })
    t.after(() => app.stop())
    for (const path of ['/login', '/no/such/page']) {
      const page = await app.get(path, { headers: { accept: 'text/html' } })
      const tags = tagsOf(page.text)
      const image = tags.find(({ name }) => name === 'img')?.attributes
      assert.deepEqual([image?.alt, image?.width, image?.height], ['Harbour', '128', '32'], 'a word mark says the name')
      assert.match(page.text, /--accent:#5b21b6/)
      const links = tags.map(({ attributes }) => attributes.href)
      assert.ok(links.includes(env.APP_TERMS_URL) && links.includes(env.APP_PRIVACY_URL))
      assert.ok(links.includes(env.SUPPORT_URL) && links.includes(`mailto:${env.SUPPORT_EMAIL}`))
      const logo = await app.get(image?.src ?? '')
      assert.deepEqual([logo.status, logo.headers['content-type'], logo.text], [200, 'image/svg+xml', svg])
      assert.match(String(logo.headers['content-security-policy']), /^default-src 'none';.*; sandbox$/)
      assert.match(String(logo.headers['cache-control']), /immutable/)
    }
    assert.equal((await app.get('/logo')).headers['cache-control'], 'public, max-age=300')
  })
})

test('colours, addresses and misspelt names are checked at start', () => {
  const problems = (env: Record<string, string>) => {
    try {
      loadConfig(env)
      return ''
    } catch (error) {
      return String(error)
    }
  }
  assert.match(problems({ APP_ACCENT: 'green' }), /APP_ACCENT must be a colour such as #17614c/)
  assert.match(problems({ APP_TERMS_URL: 'javascript:alert(1)' }), /APP_TERMS_URL must begin with https/)
  for (const url of ['javascript:alert(1)', 'http://example.com/help', 'https://ada:secret@example.com', 'example.com'])
    assert.match(problems({ SUPPORT_URL: url }), /SUPPORT_URL must be an https address/, url)
  for (const email of [
    'help',
    'help@example',
    'a b@example.com',
    'help@example.com?bcc=x@example.org',
    '"x"@example.com',
  ])
    assert.match(problems({ SUPPORT_EMAIL: email }), /SUPPORT_EMAIL must be an email address/, email)
  assert.doesNotMatch(
    problems({ SUPPORT_URL: 'http://localhost:3000/help', SUPPORT_EMAIL: 'h.elp+1@example.com' }),
    /SUPPORT/,
  )
})
