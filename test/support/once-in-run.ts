import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { temporaryDirectory } from './temporary-directory.ts'

/**
 * Returns a directory that `prepare` has filled. All test files of a run share it, so they must not change it. The
 * runner sets TEST_SHARED to a directory that it removes at the end of the run.
 */
export async function onceInRun(name: string, prepare: (directory: string) => Promise<void>): Promise<string> {
  const directory = join(process.env.TEST_SHARED ?? temporaryDirectory(name), name)
  const marker = `${directory}.prepared`
  while (!existsSync(marker)) {
    if (!(await isCreated(directory))) await sleep(50)
    else await fill(directory, marker, prepare)
  }
  return directory
}

/** Returns false if another process has created the directory and is filling it. */
const isCreated = (directory: string): Promise<boolean> =>
  mkdir(directory).then(
    () => true,
    () => false,
  )

async function fill(directory: string, marker: string, prepare: (directory: string) => Promise<void>): Promise<void> {
  try {
    await prepare(directory)
    await writeFile(marker, '')
  } catch (error) {
    // Another file, or the second run of this one, tries again.
    await rm(directory, { recursive: true, force: true })
    throw error
  }
}
