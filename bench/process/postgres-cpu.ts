import { readdir, readFile } from 'node:fs/promises'

/** The CPU seconds used by a PostgreSQL server and its back ends. Undefined on systems without /proc. */
export async function postgresCpu(postmaster: number): Promise<number | undefined> {
  const names = await readdir('/proc').catch(() => [])
  const all = await Promise.all(names.filter((name) => /^\d+$/.test(name)).map(readTimes))
  const ours = all.filter((one) => one && (one.pid === postmaster || one.parent === postmaster))
  return ours.length === 0 ? undefined : ours.reduce((sum, one) => sum + (one?.ticks ?? 0), 0) / ticksPerSecond
}

const ticksPerSecond = 100

/** Reads /proc/[pid]/stat (proc(5)). The second field, in parentheses, may contain spaces. */
async function readTimes(name: string) {
  const text = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return text === ''
    ? undefined
    : { pid: Number(name), parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) }
}
