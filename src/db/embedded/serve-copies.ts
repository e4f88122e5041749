import { join } from 'node:path'
import type { ControlSocket } from './control-socket.ts'
import { removeAbandonedCopies } from './copies.ts'

export function serveCopies(control: ControlSocket, dataDir: string, copyTo: (target: string) => Promise<void>) {
  const handlers: (() => Promise<void>)[] = []
  control.serve(async (copy) => {
    await removeAbandonedCopies(dataDir)
    for (const handle of handlers) await handle()
    await copyTo(join(copy, 'postgres'))
  })
  return (handler: () => Promise<void>) => void handlers.push(handler)
}
