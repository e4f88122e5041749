import { availableParallelism, cpus, totalmem } from 'node:os'
import { isPinned } from './process/pinned.ts'

/** Identifies the machine, because absolute figures are comparable only on the same machine. */
export const machine = () => ({
  cpu: cpus()[0]?.model.trim() ?? 'unknown',
  cores: availableParallelism(),
  memory_gb: Math.round(totalmem() / 2 ** 30),
  platform: `${process.platform} ${process.arch}`,
  pinned: isPinned,
})
