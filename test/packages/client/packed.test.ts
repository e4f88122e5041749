import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { registered } from '../../support/people.ts'
import type { TestApp } from '../../support/test-app.ts'
import { startService } from './support.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../..')

let app: TestApp
let url: string
let folder: string
before(async () => {
  const service = await startService()
  app = service.app
  url = service.url
  folder = await mkdtemp(join(tmpdir(), 'wardenry-client-'))
})
after(async () => {
  await rm(folder, { recursive: true, force: true })
  await app?.stop()
})

const program = `
import { createClient, supportsPasskeys, WardenryError, type SignInResult } from '@wardenry/client'

const [url = '', email = '', password = ''] = process.argv.slice(2)
let kept: string | undefined
const wardenry = createClient({
  url,
  session: { get: () => kept, set: (token) => void (kept = token), remove: () => void (kept = undefined) },
})
const result: SignInResult = await wardenry.signIn({ email, password })
if (result.status !== 'signed_in') throw new Error(result.status)
const { data } = await wardenry.get('/auth/sessions')
const current: boolean[] = data.sessions.map((session) => session.current)
// @ts-expect-error: this path does not exist
await wardenry.get('/auth/nothing').catch((error: WardenryError) => console.log(error.code, error.status))
// @ts-expect-error: the body must contain a password
await wardenry.post('/auth/login', { body: {} }).catch((error: WardenryError) => console.log(error.code))
// Node.js has no passkeys, and nothing is sent.
await wardenry.signInWithPasskey().catch((error: WardenryError) => console.log(error.code, supportsPasskeys()))
console.log(result.user.email, current)
`

test('the packed tarball works in an empty folder: types, and the program itself', { timeout: 240_000 }, async () => {
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: join(root, 'packages/client'),
  })
  const [{ filename, files }] = JSON.parse(stdout.slice(stdout.indexOf('[')))
  const paths = files.map(({ path }: { path: string }) => path)
  assert.ok(paths.includes('dist/index.js') && paths.includes('dist/index.d.ts') && paths.includes('README.md'))
  assert.deepEqual(
    paths.filter((path: string) => !/^(dist\/.+\.(js|d\.ts)|README\.md|LICENSE|package\.json)$/.test(path)),
    [],
  )
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', `./${filename}`], { cwd: folder })
  await writeFile(join(folder, 'program.ts'), program)
  const strict =
    '--strict --noEmit --skipLibCheck false --module nodenext --target esnext --lib esnext,dom --types node'
  const types = ['--typeRoots', join(root, 'node_modules/@types')]
  await run(join(root, 'node_modules/.bin/tsc'), [...strict.split(' '), ...types, 'program.ts'], { cwd: folder })
  const ada = await registered(app)
  const { stdout: said } = await run(process.execPath, ['program.ts', url, ada.email, ada.password], { cwd: folder })
  assert.equal(said, `NOT_FOUND 404\nVALIDATION_ERROR\nPASSKEY_NOT_SUPPORTED false\n${ada.email} [ true, false ]\n`)
})
