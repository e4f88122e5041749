import { chmod, mkdir, rm } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { ControlSocket, MakeCopy } from './copies.ts'
import { copyDirectory, newCopyDirectory } from './copies.ts'

const folder = 'control'
const responseLimit = 10_000
const request = 'copy the database'

type ResponseMessage = { name: string } | { error: string }

const socketOf = (dataDir: string): string => join(dataDir, folder, 'socket')

/**
 * Commands request copies of the database through this socket. Only the service's user and root can open the socket's
 * directory.
 */
export async function openControlSocket(dataDir: string): Promise<ControlSocket> {
  await mkdir(join(dataDir, folder), { recursive: true, mode: 0o700 })
  await chmod(join(dataDir, folder), 0o700)
  // The caller holds the directory lock, so an existing socket was left by a process that has ended.
  await rm(socketOf(dataDir), { force: true })
  const callers = new Set<Socket>()
  let isBusy = true
  let makeCopy: MakeCopy = async () => {}
  const server = await listen(socketOf(dataDir), (caller) => {
    callers.add(caller.on('close', () => callers.delete(caller)).on('error', () => {}))
    createInterface(caller).once('line', async (line) => {
      if (line !== request || isBusy) return tell(caller, { error: isBusy ? busy : 'This request is unknown.' })
      isBusy = true
      await serveCopy(caller, dataDir, makeCopy).finally(() => {
        isBusy = false
      })
    })
  })
  return {
    serve: (work) => {
      makeCopy = work
      isBusy = false
    },
    close: async () => {
      for (const caller of callers) caller.destroy()
      if (server) await new Promise((resolve) => server.close(resolve))
      await rm(join(dataDir, folder), { recursive: true, force: true })
    },
  }
}

const busy = 'The service is starting, or already copying its database for another command. Try again in a moment.'

async function serveCopy(caller: Socket, dataDir: string, makeCopy: MakeCopy): Promise<void> {
  const directory = newCopyDirectory(dataDir)
  try {
    await makeCopy(directory)
    if (caller.destroyed) throw new Error('The command has ended.')
    tell(caller, { name: basename(directory) })
  } catch (error) {
    await rm(directory, { recursive: true, force: true })
    tell(caller, { error: error instanceof Error ? error.message : String(error) })
  }
}

function tell(caller: Socket, response: ResponseMessage): void {
  if (!caller.destroyed) caller.end(`${JSON.stringify(response)}\n`)
}

/** Returns undefined if the socket cannot be opened, for example because the path is too long. */
async function listen(path: string, response: (caller: Socket) => void): Promise<Server | undefined> {
  const server = createServer({ allowHalfOpen: true }, response)
  const isListening = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(path, () => resolve(true))
  })
  if (!isListening) return undefined
  await chmod(path, 0o600)
  return server.unref()
}

/** Asks the owner of the data directory for a copy of the database. The caller must remove the returned directory. */
export async function requestCopy(dataDir: string): Promise<string> {
  const socket = connect(socketOf(dataDir))
  const said = await new Promise<string>((resolve, reject) => {
    let text = ''
    socket.setEncoding('utf8').on('data', (part: string) => {
      text += part
      if (text.length > responseLimit) socket.destroy(new Error('The response of the process is too long'))
    })
    socket.once('error', reject).once('close', () => resolve(text))
    socket.write(`${request}\n`)
  }).finally(() => socket.destroy())
  if (said === '') throw new Error('The process that has the database open ended during the copy. Try again.')
  const response = JSON.parse(said) as ResponseMessage
  if ('error' in response) throw new Error(response.error)
  return copyDirectory(dataDir, response.name)
}
