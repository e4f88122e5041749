import { availableParallelism, cpus, totalmem } from 'node:os'
import { isPinned } from './process/pinned.ts'

/** Describes the machine, because absolute figures can be compared only with those of the same machine. */
export const machine = () => ({
  cpu: cpus()[0]?.model.trim() ?? 'unknown',
  cores: availableParallelism(),
  memory_gb: Math.round(totalmem() / 2 ** 30),
  platform: `${process.platform} ${process.arch}`,
  pinned: isPinned,
})
