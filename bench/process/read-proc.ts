import { readFile } from 'node:fs/promises'

/** A process's current and peak resident memory in MiB. Undefined on systems without /proc. */
export async function residentMemory(pid: number): Promise<{ now: number; peak: number } | undefined> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const mib = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1]) / 1024
  return { now: mib('VmRSS'), peak: mib('VmHWM') }
}
