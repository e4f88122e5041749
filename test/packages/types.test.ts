import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')

const credentials = `
import { createClient, WardenryError, type SecondFactorRequired } from '@wardenry/client'
declare const response: NonNullable<Parameters<SecondFactorRequired['verify']>[0]['response']>
const { signIn } = createClient({ url: 'https://id.example.com' })
const [email, password, token, code] = ['ada@example.com', 'secret', 'token', '123456']
export const accepted = [
  signIn({ email, password }),
  signIn({ userName: 'ada', password, deviceId: 'phone' }),
  signIn({ token }),
  signIn({ tokenId: 'id', code }),
]
export const refused = (error: WardenryError) => error.code === 'INVALID_CREDENTIALS' || error.code === 'COOKIE_NOT_KEPT'
const { signInWithPasskey, autofillPasskey, registerWithPasskey } = createClient({ url: 'https://id.example.com' })
const { signal } = new AbortController()
export const passkeys = [
  signInWithPasskey(),
  signInWithPasskey({ signal }),
  autofillPasskey({ signal, onSignIn: ({ user }) => user.email, onError: ({ code }) => code === 'PASSKEY_EXISTS' }),
  registerWithPasskey({ email }).then(({ complete }) => complete({ code, lastName: 'Lovelace' })),
]
// @ts-expect-error: nobody would learn of the sign-in
autofillPasskey({ signal })
// @ts-expect-error: credentials of two kinds
signIn({ email, password, token })
// @ts-expect-error: two users
signIn({ email, userName: 'ada', password })
// @ts-expect-error: half of a kind
signIn({ tokenId: 'id' })
// @ts-expect-error: proof of two kinds
export const verify = (required: SecondFactorRequired) => required.verify({ code, response })
// @ts-expect-error: misspelt
export const misspelt = (error: WardenryError) => error.code === 'INVALID_CREDENTAILS'
`

const session = `
import { createClient } from '@wardenry/client'
import { useSession } from '@wardenry/react'
const client = createClient({ url: 'https://id.example.com' })
declare module '@wardenry/react' {
  interface Register {
    client: typeof client
  }
}
export function Name(): string | undefined {
  const { user } = useSession()
  // @ts-expect-error: a user has no such member
  user?.emial
  return user?.email
}
export const named = (): string | undefined => useSession<{ nick: string }>().user?.nick
`

const unregistered = `
import { useSession } from '@wardenry/react'
export const name = (): unknown => useSession().user?.name
`

const codeOf = (file: string): string => readFileSync(join(root, file), 'utf8')
const readme = /```js\n(.*?)```/s.exec(codeOf('packages/server/README.md'))![1]!

const programs: Record<string, string> = {
  'the credentials and error codes of the client': credentials,
  "the user of the application's client in React": session,
  'a user of no known type in React': unregistered,
  'the example of the README for Express': readme,
  'the example for Express': codeOf('examples/express/main.js'),
  'the example for Fastify': codeOf('examples/fastify/main.js'),
  'the example for Koa': codeOf('examples/koa/main.js'),
}

for (const [name, program] of Object.entries(programs)) {
  test(`passes the checks of TypeScript: ${name}`, async (t) => {
    mkdirSync(join(root, 'build'), { recursive: true })
    const folder = mkdtempSync(join(root, 'build/types-'))
    t.after(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'main.ts'), program)
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config(program)))
    const failure = await run(join(root, 'node_modules/.bin/tsc'), ['-p', folder]).catch(({ stdout }) => stdout)
    assert.ok(typeof failure !== 'string', failure)
  })
}

/** The examples are JavaScript, whose functions have no types of parameters. */
function config(program: string): object {
  const source = (path: string) => [join(root, 'packages', path)]
  const paths = {
    '@wardenry/client': source('client/src/index.ts'),
    '@wardenry/react': source('react/src/index.ts'),
    '@wardenry/server': source('server/src/index.ts'),
    '@wardenry/server/*': source('server/src/*.ts'),
  }
  const isTyped = !program.includes('(text) =>') && !program.includes('escapeHtml(text)')
  const compilerOptions = {
    strict: true,
    noImplicitAny: isTyped,
    noEmit: true,
    module: 'nodenext',
    target: 'esnext',
    lib: ['esnext', 'dom'],
    types: ['node'],
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    moduleDetection: 'force',
    paths,
  }
  return { compilerOptions, include: ['main.ts'] }
}
