import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allowedTarget, withToken } from '../../src/http/redirects.ts'

const config = {
  FRONTEND_URL: 'https://app.test/shop',
  ALLOWED_REDIRECTS: ['https://other.test', 'http://localhost:5173', 'myapp://'],
}

const allowed: Record<string, string> = {
  'https://app.test': 'https://app.test/',
  'https://app.test/welcome?from=mail#top': 'https://app.test/welcome?from=mail#top',
  'https://other.test/a/../b': 'https://other.test/b',
  'https://other.test:443/x': 'https://other.test/x',
  'HTTPS://OTHER.TEST/x': 'https://other.test/x',
  'http://localhost:5173/login': 'http://localhost:5173/login',
  'myapp://login': 'myapp://login',
  'myapp://login?step=2': 'myapp://login?step=2',
}
for (const [wish, target] of Object.entries(allowed)) {
  test(`${wish} is allowed`, () => assert.equal(allowedTarget(config, wish), target))
}

const ignored = [
  undefined,
  '',
  '/login',
  'login',
  '//evil.test',
  '/\\evil.test',
  'https://evil.test',
  'https:evil.test',
  'http://app.test',
  'https://app.test:8443',
  'https://app.test.evil.test',
  'https://evilapp.test',
  'https://sub.app.test',
  'https://app.test@evil.test',
  'https://user@app.test',
  'https://:secret@app.test',
  'https://evil.test\\@app.test',
  'https://app.test\\.evil.test',
  'https://app.test%2f@evil.test',
  'https://app。test.evil.test',
  'http://localhost:80@evil.test',
  'http://localhost:5174',
  'http://127.0.0.1:5173',
  ' https://app.test',
  'https://app.test/\r\nset-cookie: a=b',
  'https://app.test/\u0000',
  'https://app.test/\u202e',
  'https://app.test/\t//evil.test',
  `https://app.test/"onmouseover=alert(1)`,
  'https://app.test/<script>',
  "https://app.test/'",
  'https://app.test/?token=planted',
  'myapp:login',
  'myapp2://login',
  'other://login',
  'myapp://user@login',
  'javascript://app.test/%0aalert(1)',
  'data:text/html,hello',
  'blob:https://app.test/0c8f',
  'file:///etc/passwd',
  `https://app.test/${'a'.repeat(2048)}`,
]
for (const wish of ignored) {
  test(`${JSON.stringify(wish)?.slice(0, 60)} is ignored`, () => assert.equal(allowedTarget(config, wish), undefined))
}

test('the secret joins the query with the right sign, and never the fragment', () => {
  assert.equal(withToken('https://app.test/login', 'T'), 'https://app.test/login?token=T')
  assert.equal(withToken('https://app.test/?a=1', 'T'), 'https://app.test/?a=1&token=T')
  assert.equal(withToken('https://app.test/#/in', 'T'), 'https://app.test/?token=T#/in')
  assert.equal(withToken('myapp://login', 'T'), 'myapp://login?token=T')
})
