import { readdir, rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'

/** A socket that the kernel closes when the process ends. Where sockets are not supported, the beacon is a file. */
export interface OwnerBeacon {
  socket: string | undefined
  own(): void
  end(): Promise<void>
}

type BeaconResponse = 'owner' | 'waiting' | 'dead' | 'unknown'

const responseLimit = 1_000
const waiting = 'waiting'

export async function openBeacon(dataDir: string, token: string): Promise<OwnerBeacon> {
  const socket = `wardenry.${token}.alive`
  let isOwner = false
  const server = await listen(join(dataDir, socket), () => (isOwner ? '' : waiting))
  const mark = join(dataDir, silentMark(token))
  if (!server) await writeFile(mark, '', { mode: 0o600 })
  return {
    socket: server && socket,
    own: () => {
      isOwner = true
    },
    end: async () => {
      if (server) await new Promise((resolve) => server.close(resolve))
      else await rm(mark, { force: true })
    },
  }
}

export const silentMark = (token: string): string => `wardenry.${token}.silent`

export async function findPossibleOwners(dataDir: string): Promise<{ isOwned: boolean; unknown: string[] }> {
  const names = await readdir(dataDir)
  const unknown = names.filter((name) => /^wardenry\.[0-9a-f]+\.silent$/.test(name))
  let isOwned = false
  for (const name of names.filter((one) => /^wardenry\.[0-9a-f]+\.alive$/.test(one))) {
    const response = await askBeacon(join(dataDir, name))
    if (response === 'owner') isOwned = true
    if (response === 'unknown') unknown.push(name)
  }
  return { isOwned, unknown }
}

/** The kernel also accepts connections for a suspended process, which therefore still counts as the owner. */
export async function askBeacon(path: string): Promise<BeaconResponse> {
  return new Promise((resolve) => {
    let said = ''
    const socket = connect(path)
    const done = (response: BeaconResponse) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(response)
    }
    const conclude = () => done(said === waiting ? 'waiting' : 'owner')
    const timer = setTimeout(conclude, responseLimit)
    socket.setEncoding('utf8')
    socket.on('data', (text: string) => {
      said += text
    })
    socket.once('end', conclude)
    socket.once('error', ({ code }: NodeJS.ErrnoException) => {
      if (code === 'ECONNREFUSED' || code === 'ENOENT') done('dead')
      else if (code === 'ECONNRESET' || code === 'EPIPE') conclude()
      else done('unknown')
    })
  })
}

async function listen(path: string, response: () => string): Promise<Server | undefined> {
  const server = createServer((caller) => {
    caller.on('error', () => {})
    caller.end(response(), () => caller.destroy())
  })
  return new Promise((resolve) => {
    server.once('error', () => resolve(undefined))
    server.listen(path, () => resolve(server.unref()))
  })
}
