// Setup: own process
// Tests of modules add their settings, messages and errors to the lists of their process.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parseEnv } from 'node:util'
import { withPermissionTables } from '../../scripts/permission-tables.ts'
import { configurationPage, envExample } from '../../src/config/describe.ts'
import { type Setting, SettingProblem } from '../../src/config/kinds.ts'
import { loadConfig } from '../../src/config/load.ts'
import { chapters, settings } from '../../src/config/settings.ts'
import { errorCodes, sentenceOf, statusOf } from '../../src/lib/errors.ts'
import '../../src/modules/index.ts'
import { withMessageTable } from '../../src/outbox/describe-messages.ts'

const committed = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
const remedy = 'run "npm run docs" and commit the result'

test('docs/configuration.md matches the settings', () => {
  assert.equal(committed('docs/configuration.md'), configurationPage(), remedy)
})

test('.env.example matches the settings', () => {
  assert.equal(committed('.env.example'), envExample(), remedy)
})

test('docs/messages.md lists every message with its placeholders', () => {
  const page = committed('docs/messages.md')
  assert.equal(page, withMessageTable(page), remedy)
  assert.match(page, /\| `verify_email` \| email \| [^|]*`url`[^|]*\| `url` or `code` \|/)
})

test('docs/permissions-reference.md lists every permission and scope with its routes', () => {
  const page = committed('docs/permissions-reference.md')
  assert.equal(page, withPermissionTables(page, JSON.parse(committed('openapi.json'))), remedy)
  assert.match(page, /\| `wardenry:users:read` \| `GET \/auth\/users`/)
})

test('docs/api.md lists every error code with its status and sentence', () => {
  const rows = errorCodes.map((code) => `| \`${code}\` | ${statusOf(code)} | ${sentenceOf(code)} |`).toSorted()
  assert.ok(rows.length > 20)
  const documented = committed('docs/api.md')
    .split('\n')
    .filter((line) => /^\| `\w+` \| \d{3} \|/.test(line))
  assert.deepEqual(documented.toSorted(), rows)
})

test('every setting is in a chapter', () => {
  assert.deepEqual(Object.values(chapters).flatMap(Object.keys), Object.keys(settings))
})

test('.env.example changes nothing until a line is switched on, and then sets a value that is allowed', () => {
  assert.deepEqual(Object.keys(parseEnv(envExample())), [])
  const switchedOn = parseEnv(envExample().replace(/^#(?=[A-Z])/gm, ''))
  assert.deepEqual(Object.keys(switchedOn).toSorted(), Object.keys(settings).toSorted())
  for (const [name, setting] of Object.entries<Setting<unknown>>(settings)) {
    const text = switchedOn[name]
    if (text) assert.ok(!(setting.read(text) instanceof SettingProblem), `${name}=${text}`)
  }
})

test('.env.example contains no secret', () => {
  const switchedOn = parseEnv(envExample().replace(/^#(?=[A-Z])/gm, ''))
  const secrets = Object.entries<Setting<unknown>>(settings).filter(([, { secret }]) => secret)
  assert.ok(secrets.length > 0)
  for (const [name] of secrets) assert.equal(switchedOn[name], '', name)
})

test('keys made the way .env.example shows are good enough for production', () => {
  const made = () => randomBytes(32).toString('base64')
  const config = loadConfig({
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://id.example.com',
    AUTH_SECRET: made(),
    BRIDGE_SECRETS: `name:${made()}`,
    DATA_KEYS: `name:${made()}`,
  })
  assert.equal(config.DATA_KEYS[0]?.name, 'name')
})
