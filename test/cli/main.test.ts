import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openWorkplace } from './run-command.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

test('--help names every command, and --version the version', async (t) => {
  const { runProcess: run } = await openWorkplace(t)
  const [help, shown] = await Promise.all([run(['--help']), run(['--version'])])
  assert.equal(help.code, 0)
  for (const name of [
    'start',
    'migrate',
    'admin',
    'user',
    'sessions',
    'secrets',
    'doctor',
    'health',
    'openapi',
    'version',
  ])
    assert.match(help.stdout, new RegExp(`\\b${name}\\b`))
  assert.equal(shown.stdout, `${version}\n`)
  for (const word of ['-v', 'version']) assert.equal((await run([word])).stdout, `${version}\n`, word)
})

test('the program of the package is the same command line', async (t) => {
  const { runProcess: run } = await openWorkplace(t)
  assert.equal((await run(['--version'], { program: 'bin/wardenry.js' })).stdout, `${version}\n`)
})

test('an unknown command and an unknown option are refused, and nothing is written to standard output', async (t) => {
  const { runProcess: run } = await openWorkplace(t)
  const [command, option] = await Promise.all([run(['strat']), run(['doctor', '--verbose'])])
  assert.deepEqual([command.code, command.stdout], [1, ''])
  assert.match(command.stderr, /Unknown command strat/)
  assert.deepEqual([option.code, option.stdout], [1, ''])
  assert.match(option.stderr, /Unknown option --verbose/)
})

for (const name of ['start', 'migrate']) {
  test(`${name} lists every problem of the configuration and ends with code 78`, async (t) => {
    const { runProcess: run } = await openWorkplace(t)
    const env = {
      PORT: 'http',
      LOG_LEVEL: 'loud',
      SESION_IDLE_TTL: '1d',
      TWO_FACTOR_REQUIRED: 'admin',
      MODULE_PATHS: join(import.meta.dirname, '../../examples/module-notes'),
      NOTES_MAXIMUM: '5',
      MAIL_FROM: 'Example',
      ADMIN_EMAIL: 'ada',
      ADMIN_PASSWORD: 'password1',
      USER_TYPES: 'editor, superadmin',
      MODULES_AUTO_INSTALL: 'nope, blog:ext-nope',
    }
    const { code, stdout, stderr } = await run([name], { env })
    assert.equal(code, 78)
    assert.equal(stdout, '')
    for (const problem of [
      /PORT must be/,
      /LOG_LEVEL must be/,
      /SESION_IDLE_TTL is not a setting.*: did you mean SESSION_IDLE_TTL/,
      /TWO_FACTOR_REQUIRED is not a setting.*: did you mean TWO_FACTOR_REQUIRED_FOR/,
      /NOTES_MAXIMUM is not a setting.*: did you mean NOTES_MAX/,
      /MAIL_FROM must be an address/,
      /ADMIN_EMAIL must be one email address/,
      /ADMIN_PASSWORD is too common/,
      /USER_TYPES "superadmin" already has the rights of an administrator/,
      /MODULES_AUTO_INSTALL: there is no module "nope"\. Modules: two-factor, api-keys, oauth, privacy/,
      /MODULES_AUTO_INSTALL: in "blog:ext-nope", components must only contain core, ext-comments/,
    ]) {
      assert.match(stderr, problem)
    }
  })
}
