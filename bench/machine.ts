import { availableParallelism, cpus, totalmem } from 'node:os'
import { isPinned } from './process/pinned.ts'

/** The machine, because absolute figures are valid only for the machine on which they were measured. */
export const machine = () => ({
  cpu: cpus()[0]?.model.trim() ?? 'unknown',
  cores: availableParallelism(),
  memory_gb: Math.round(totalmem() / 2 ** 30),
  platform: `${process.platform} ${process.arch}`,
  pinned: isPinned,
})
