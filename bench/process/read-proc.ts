import { readFile } from 'node:fs/promises'

/** Resident memory of a process in MiB, now and at its highest; undefined where there is no proc(5). */
export async function residentMemory(pid: number): Promise<{ now: number; peak: number } | undefined> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const mib = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1]) / 1024
  return { now: mib('VmRSS'), peak: mib('VmHWM') }
}
