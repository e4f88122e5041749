import { spawnSync } from 'node:child_process'
import { findProgram, searchPath } from './find-program.ts'

export const noGo = 'no go found; install golang-go'
export const noPhp = 'no php found; install php-cli'
export const noFastapi = 'no Python with FastAPI and uvicorn found; install python3-fastapi and python3-uvicorn'

export const findGo = (): string | undefined => findProgram(['go'])
export const findPhp = (): string | undefined => findProgram(['php'])

/** Prefers the system's Python because only that installation has Debian's Python packages. */
export function findFastapi(): string | undefined {
  const pythons = ['/usr/bin', ...searchPath()].map((directory) => findProgram(['python3'], [directory]))
  return pythons.find((python) => python && spawnSync(python, ['-c', 'import fastapi, uvicorn']).status === 0)
}

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
