import { readdirSync, readFileSync } from 'node:fs'
import type { Profiler } from 'node:inspector'
import { join } from 'node:path'

/** The functions of a file that one process loaded, with the number of executions of each of their ranges. */
export type Profile = Pick<Profiler.FunctionCoverage, 'ranges'>[]

/** The profiles that processes with NODE_V8_COVERAGE wrote to a folder, by the URL of the source file. */
export function readProfiles(folder: string, urls: ReadonlySet<string>): Map<string, Profile[]> {
  const profiles = new Map<string, Profile[]>()
  for (const name of readdirSync(folder)) {
    const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Profiler.TakePreciseCoverageReturnType
    for (const { url, functions } of result)
      if (urls.has(url)) profiles.set(url, [...(profiles.get(url) ?? []), functions])
  }
  return profiles
}
