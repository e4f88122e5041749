import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { type Config, ConfigError, loadConfig } from '../../src/config/load.ts'

/** A directory that is gone when the file's tests have ended. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'wardenry-config-'))
  after(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

const directory = temporaryDirectory()

/** The configuration of an environment in which nothing is set but what is given. */
export const load = (environment: Record<string, string | undefined> = {}): Config =>
  loadConfig({ DATA_DIR: directory, ...environment })

/** What is wrong with an environment, one sentence each. */
export function problemsOf(environment: Record<string, string | undefined>): readonly string[] {
  try {
    load(environment)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}
