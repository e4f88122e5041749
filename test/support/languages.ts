import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { findProgram, searchPath } from './find-program.ts'

export const noGo = 'no go found; install golang-go'
export const noPhp = 'no php found; install php-cli'
export const noFastapi = 'no Python with FastAPI and uvicorn found; install python3-fastapi and python3-uvicorn'
export const noAuthlib = 'no Python with Authlib found; install python3-authlib and python3-requests'
export const noGoOidc =
  'no Go packages for OAuth found; install golang-go, golang-github-coreos-go-oidc-dev and golang-golang-x-oauth2-dev'

export const findGo = (): string | undefined => findProgram(['go'])
export const findPhp = (): string | undefined => findProgram(['php'])

export const findFastapi = (): string | undefined => findPython('import fastapi, uvicorn')
export const findAuthlib = (): string | undefined => findPython('import authlib, requests')

/** Prefers the system's Python because only that installation has Debian's Python packages. */
function findPython(imports: string): string | undefined {
  const pythons = ['/usr/bin', ...searchPath()].map((directory) => findProgram(['python3'], [directory]))
  return pythons.find((python) => python && spawnSync(python, ['-c', imports]).status === 0)
}

/** Where Debian installs the sources of Go packages. */
export const goSources = '/usr/share/gocode'

export const findGoOidc = (): string | undefined =>
  ['github.com/coreos/go-oidc', 'golang.org/x/oauth2'].every((name) => existsSync(`${goSources}/src/${name}`))
    ? findGo()
    : undefined

/** The command that starts a language's example, or the reason why it cannot be started. */
export interface LanguageExample {
  command: string
  /** A command that must finish before the server starts. */
  build?: string
  skip: string | false
}

export function languageExamples(): Record<'fastapi' | 'go' | 'php', LanguageExample> {
  const python = findFastapi()
  return {
    fastapi: { command: `${python} -m uvicorn main:app --port $PORT`, skip: python ? false : noFastapi },
    go: { build: 'go build -o application .', command: './application', skip: findGo() ? false : noGo },
    php: { command: 'php -S 127.0.0.1:$PORT index.php', skip: findPhp() ? false : noPhp },
  }
}
