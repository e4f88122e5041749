import { resolve } from 'node:path'
import { DatabaseAddressError, hostName, readDatabaseAddress } from '../../config/database-address.ts'

export interface MovePlace {
  /** Contains no password, because this text is displayed and stored. */
  name: string
  url: string | undefined
  dataDir: string | undefined
}

/** Error messages do not repeat the value, because it may contain a password. */
export function readMovePlace(to: string): MovePlace {
  if (/^postgres(ql)?:\/\//.test(to)) return readServer(to)
  const path = to.replace(/^file:(\/\/(?=\/))?/, '')
  if (!/^\.{0,2}\//.test(path) || /[:@]|\/\//.test(path))
    throw new Error(
      '--to must be a URL that begins with postgres://, or a directory that begins with / or ./ and contains no //, : or @',
    )
  const dataDir = resolve(path)
  return { name: `the data directory ${dataDir}`, url: undefined, dataDir }
}

function readServer(to: string): MovePlace {
  const { hosts, database } = readAddress(to)
  if (hasPassword(to))
    throw new Error(
      'Put the password into PGPASSWORD or PGPASSFILE instead of --to: other users of this machine can read the ' +
        'command line. Change the password if they are not trusted.',
    )
  return { name: `the database ${database} on ${hosts.map(hostName).join(',')}`, url: to, dataDir: undefined }
}

function readAddress(to: string) {
  try {
    return readDatabaseAddress(to)
  } catch (error) {
    throw error instanceof DatabaseAddressError ? new Error(`--to ${error.message}`) : error
  }
}

const hasPassword = (to: string): boolean => /^\w+:\/\/[^/?#@]*:[^@]*@/.test(to) || /[?&]password=/.test(to)
