import { readdir, readFile } from 'node:fs/promises'

/** The CPU seconds used by a process and its descendants, with a resolution of 0.01 seconds. Requires Linux. */
export async function treeCpu(pid: number): Promise<number> {
  const own = await cpuOf(pid)
  const children = await childrenOf(pid)
  const theirs = await Promise.all(children.map(treeCpu))
  return theirs.reduce((sum, seconds) => sum + seconds, own)
}

/** Fields 14 and 15 of /proc/[pid]/stat (proc(5)). The second field, in parentheses, may contain spaces. */
async function cpuOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`)
  const lists = await Promise.all(threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8')))
  return lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number))
}
