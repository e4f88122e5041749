import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { ConfigError, loadConfig } from '../../src/config/load.ts'
import { contrast } from '../../src/lib/colour.ts'
import { themeOf } from '../../src/ui/shared/theme.ts'
import { openScratch, type Scratch } from '../support/scratch.ts'
import { startTestApp } from '../support/test-app.ts'
import { tagsOf } from './all-pages.ts'

const none = { APP_ACCENT: undefined, APP_LOGO: undefined, APP_TERMS_URL: undefined, APP_PRIVACY_URL: undefined }
const css = readFileSync(new URL('../../src/ui/assets/pages.css', import.meta.url), 'utf8')
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
  const rejection = (path: string): string => {
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
    assert.match(rejection('/no/such/logo.svg'), /APP_LOGO names a file that cannot be read/)
    assert.match(rejection(file('a.gif', 'GIF89a')), /APP_LOGO must be an SVG, PNG or WebP picture/)
    assert.match(rejection(file('big.png', Buffer.alloc(300_000))), /at most 256/)
    assert.match(rejection(file('short.png', png.subarray(0, 20))), /without dimensions/)
    assert.match(rejection(file('plain.svg', '<svg><path d="M0 0h9"/></svg>')), /without dimensions/)
  })

  test('is not so large that a browser spends its memory on it', () => {
    const sides = (width: number, height: number) => {
      const bytes = Buffer.from(png)
      bytes.writeUInt32BE(width, 16)
      bytes.writeUInt32BE(height, 20)
      return rejection(file('sides.png', bytes))
    }
    assert.match(sides(8193, 1), /more than 8192 pixels/)
    assert.match(sides(1, 60_000), /more than 8192 pixels/)
    assert.equal(sides(8192, 8192), 'taken')
    const wide = Buffer.from(webp)
    wide.writeUInt16LE(0x3fff, 26)
    assert.match(rejection(file('wide.webp', wide)), /more than 8192 pixels/)
    assert.equal(rejection(file('wide.svg', svg.replace('120 30', '12000 3000'))), 'taken')
  })

  const withPart = (part: string) => rejection(file('part.svg', svg.replace('<path d="M0 0h9"/>', part)))

  test('that is an SVG never comes with a script, nor with anything from elsewhere', () => {
    const xlink = 'xmlns:xlink="http://www.w3.org/1999/xlink"'
    const hostile = {
      'the element script': ['<script>alert(1)</script>', '<s:script xmlns:s="http://www.w3.org/2000/svg"/>'],
      'the element a': ['<a href="javascript:alert(1)">x</a>'],
      'the element foreignObject': ['<foreignObject><body/></foreignObject>'],
      'the element iframe': ['<iframe/>'],
      'the element img': ['<h:img xmlns:h="http://www.w3.org/1999/xhtml"/>'],
      'the element feImage': ['<filter><feImage href="#a"/></filter>'],
      'an event handler': ['<g onload="alert(1)"/>', '<animate onbegin = "x()"/>'],
      'a processing instruction': ['<?xml-stylesheet href="#a"?>'],
      'an XML error in line 1': ['<svg:g/>', '<g>', '<g a=b/>', '&nbsp;'],
      'an external reference': [
        '<image href="https://evil.example/x.png"/>',
        '<image href="data:image/svg+xml;base64,AAAA"/>',
        `<use ${xlink} xlink:href="//evil.example/x.svg#a"/>`,
        '<use href="#%61"/>',
        '<style>g{fill:url(https://evil.example/x)}</style>',
        '<style>g{fill:ur<!-- -->l(https://evil.example/x)}</style>',
        '<g fill="&#x75;rl(x)"/>',
        '<animate attributeName="fill" to="url(//evil.example/#a)"/>',
      ],
      'the rule @import': ['<style>@import "x.css"</style>', '<style><![CDATA[@import "x.css"]]></style>'],
      'the rule @charset': ['<style>&#0064;charset "x"</style>'],
      'the function image-set': ['<style>g{mask:image-set("https://evil.example/x" 1x)}</style>'],
      'the function src': ['<g mask="src(&quot;x&quot;)"/>'],
      'an animation of href': ['<set attributeName="href" to="x"/>', '<set attributeName="&#104;ref"/>'],
      'an animation of xlink:href': ["<animate values='a>b' attributeName = 'xlink:href'/>"],
      'an animation of onclick': ['<animateTransform attributeName="\nonclick"/>'],
      'a character that XML does not allow': [
        '<style>path{fill:url\uffff(https://evil.example/x)}</style>',
        '<g fill="url\uffff(https://evil.example/x)"/>',
        '<g id="g\uffff"/>',
      ],
      'a backslash': ['<g style="fill:u\\72l(x)"/>', '<style>\\40 import "x"</style>'],
    }
    for (const [what, parts] of Object.entries(hostile))
      for (const part of parts)
        assert.ok(withPart(part).includes(`names an SVG with ${what}`), `${part}\n${withPart(part)}`)
  })

  test('that is an SVG may be animated and refer to its own parts', () => {
    const pixel = `data:image/png;base64,${png.toString('base64')}`
    for (const part of [
      '<set attributeName="fill" to="red"/><animate attributeName="d"/><title>Caf&#233; &#xe9;&#10;&#39;</title>',
      `<defs><g id="a"/></defs><use href="#a" fill="url(#b)"/><image href="${pixel}"/>`,
      '<linearGradient id="b"/><style>@media (prefers-color-scheme: dark) { g { fill: url("#b") } }</style>',
    ])
      assert.equal(withPart(part), 'taken', part)
  })

  test('that is an SVG keeps one of the two forms of a reference', () => {
    const part = '<g id="a"/><use href="#a" xmlns:x="http://www.w3.org/1999/xlink" x:href="#b"/>'
    const served = read(file('two.svg', svg.replace('<path d="M0 0h9"/>', part)))?.bytes.toString()
    assert.ok(served?.includes('<g id="a"/><use href="#a"/>'))
  })

  test('that is an SVG has one encoding and no declarations', () => {
    const declared = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?>${svg}`
    for (const encoding of ['UTF-16', 'UTF-7', 'ISO-2022-JP'])
      assert.match(
        rejection(file('e.svg', declared(encoding))),
        new RegExp(`the encoding ${encoding} instead of UTF-8`),
      )
    for (const encoding of ['utf-8', 'US-ASCII']) assert.equal(rejection(file('e.svg', declared(encoding))), 'taken')
    assert.match(rejection(file('e.svg', Buffer.concat([Buffer.from(svg), Buffer.from([0xff])]))), /other than UTF-8/)
    assert.match(rejection(file('e.svg', Buffer.from(`\ufeff${svg}`, 'utf16le'))), /must be an SVG/)
    for (const inside of ['<!ENTITY x "y">', '<!ATTLIST path onload CDATA "alert(1)">'])
      assert.match(rejection(file('e.svg', `<!DOCTYPE svg [${inside}]>${svg}`)), /declaration in its document type/)
    assert.equal(rejection(file('e.svg', `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "svg11.dtd">${svg}`)), 'taken')
  })

  test('that is an SVG is cheap to check', () => {
    const start = performance.now()
    assert.equal(withPart(`<path d="${'a'.repeat(60_000)}"/><style>${'a'.repeat(60_000)}</style>`), 'taken')
    assert.ok(performance.now() - start < 2_000)
  })

  test('that is an SVG is cheap to draw', () => {
    assert.match(withPart('<g>'.repeat(65) + '</g>'.repeat(65)), /nested more than 64 levels/)
    assert.match(withPart('<g/>'.repeat(5000)), /more than 5000 elements/)
    assert.match(withPart(`<rect width="${'9'.repeat(400)}"/>`), /a number of more than 40 digits/)
    assert.match(rejection(file('n.svg', svg.replace('120 30', '200000 30'))), /more than 100000 pixels/)
    const tenfold = (level: number) => `<g id="g${level}">${`<use href="#g${level - 1}"/>`.repeat(10)}</g>`
    const defs = (levels: number) =>
      `<path id="g0"/>${Array.from({ length: levels }, (_, at) => tenfold(at + 1)).join('')}`
    assert.equal(withPart(defs(3)), 'taken')
    assert.match(withPart(defs(6)), /references that repeat too many elements/)
    const chain = Array.from({ length: 4_900 }, (_, at) => `<use id="u${at}" href="#u${at + 1}"/>`).join('')
    assert.match(withPart(chain), /references that repeat too many elements/)
    assert.match(withPart('<pattern id="p"><path fill="url(#p)"/></pattern>'), /repeat too many/)
    const many = '<path/>'.repeat(300)
    assert.match(withPart(`<pattern id="p">${many}</pattern><g fill="url(#p)">${many}</g>`), /repeat too many/)
    assert.equal(withPart(`<clipPath id="c"><path/></clipPath><g clip-path="url(#c)">${many}</g>`), 'taken')
    assert.match(withPart('<g style="--m:url(#m)"><path mask="var(--m)"/></g>'), /a custom property beside a reference/)
    assert.match(withPart('<path><animate attributeName="mask" to="url(#m)"/></path>'), /an animated reference/)
    assert.match(withPart('<marker id="m"/>'), /the element marker/)
    const page = Buffer.from(png)
    page.writeUInt32BE(8_000, 16)
    page.writeUInt32BE(8_000, 20)
    const picture = `<image href="data:image/png;base64,${page.toString('base64')}"/>`
    assert.equal(withPart(picture), 'taken')
    assert.match(withPart(picture.repeat(2)), /repeat too many/)
    assert.match(withPart('<style>path{mask:url(#m)}</style><mask id="m"/>'), /refers to the mask m instead/)
    const large = Buffer.from(png)
    large.writeUInt32BE(60_000, 16)
    assert.match(withPart(`<image href="data:image/png;base64,${large.toString('base64')}"/>`), /more than 8192 pixels/)
  })

  test('that is an SVG is served without the data of the drawing program', () => {
    const drawn = `<!-- A drawing --><svg xmlns="http://www.w3.org/2000/svg" xmlns:i="http://example.com/i" viewBox="0 0 9 9" i:v="1" data-x="y">
      <metadata><i:x/></metadata><i:view>text</i:view><g i:label="a" id="a"><path d="M0 0h9"/></g></svg>`
    const served = read(file('drawn.svg', drawn))?.bytes.toString()
    assert.equal(
      served,
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><g id="a"><path d="M0 0h9"/></g></svg>',
    )
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
  const longUrl = `https://example.com/${'a'.repeat(2048)}`
  for (const url of ['javascript:alert(1)', 'https://ada:secret@example.com/', 'https://ada@example.com', longUrl])
    for (const name of ['APP_TERMS_URL', 'APP_PRIVACY_URL'])
      assert.match(
        problems({ [name]: url }),
        new RegExp(`${name} must be an http or https URL without a user name`),
        url,
      )
  assert.equal(problems({ APP_TERMS_URL: 'http://example.com/terms' }), '')
  assert.match(problems({ SUPPORT_URL: longUrl }), /SUPPORT_URL must be an https address/)
  for (const name of [
    ' ',
    'Har\u200bbour',
    'Harbour\u202e',
    'a\nb',
    '\u3164',
    '\u2800',
    '\ufeffHarbour',
    '\u0301',
    'x'.repeat(61),
  ])
    assert.match(problems({ APP_NAME: name }), /APP_NAME must be 1 to 60 visible characters/, JSON.stringify(name))
  assert.match(problems({ BLOG_TITLE: '\u200f' }), /BLOG_TITLE must be 1 to 120 visible characters/)
  for (const name of ['Harbour & Sons', 'Ünïcode', '日本語', 'مرفأ', '⚓'])
    assert.equal(loadConfig({ APP_NAME: ` ${name} ` }).APP_NAME, name)
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
