import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The path of the first of these programs that exists in one of the directories. */
export function findProgram(names: string[], directories: string[] = searchPath()): string | undefined {
  for (const directory of directories) {
    const found = names.map((name) => join(directory, name)).find(isProgram)
    if (found) return found
  }
  return undefined
}

export function searchPath(): string[] {
  const listed = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  return [...listed, '/usr/local/bin', '/opt/homebrew/bin', '/home/linuxbrew/.linuxbrew/bin']
}

export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
