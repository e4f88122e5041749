import { spawnSync } from 'node:child_process'
import { findProgram, searchPath } from './find-program.ts'

export const noGo = 'no go found; install golang-go'
export const noPhp = 'no php found; install php-cli'
export const noFastapi = 'no Python with FastAPI and uvicorn found; install python3-fastapi and python3-uvicorn'

export const findGo = (): string | undefined => findProgram(['go'])
export const findPhp = (): string | undefined => findProgram(['php'])

/** The Python of the system comes first: packages of Debian are there, and nowhere else. */
export function findFastapi(): string | undefined {
  const pythons = ['/usr/bin', ...searchPath()].map((directory) => findProgram(['python3'], [directory]))
  return pythons.find((python) => python && spawnSync(python, ['-c', 'import fastapi, uvicorn']).status === 0)
}

/** How the example of a language is started, or why it is not. */
export interface LanguageExample {
  command: string
  /** Runs before, to its end. */
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
