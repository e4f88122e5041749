import { readDatabaseAddress } from '../../config/database-address.ts'
import { examineServers, type ServerState } from '../../db/examine-servers.ts'
import { type DoctorFinding, notice, ok, problem } from './finding.ts'

const about = 'Database hosts'

/** With a single host, the finding about the database is sufficient. */
export async function examineHosts(url: string): Promise<DoctorFinding[]> {
  const { hosts, target } = readDatabaseAddress(url)
  if (hosts.length === 1) return []
  const servers = await examineServers(url)
  const list = servers.map(describe).join('\n')
  const primaries = servers.filter(({ state }) => state === 'primary').length
  if (primaries > 1)
    return [
      problem(about, `${primaries} servers accept writes, so they hold different data: stop all but one\n${list}`),
    ]
  if (target === 'any')
    return [
      notice(about, `add target_session_attrs=read-write to DATABASE_URL: without it, a standby may be used\n${list}`),
    ]
  if (primaries === 0) return [problem(about, `no server accepts writes\n${list}`)]
  const isComplete = servers.every(({ state }) => state !== 'unusable')
  return [isComplete ? ok(about, list) : notice(about, `not all servers answer\n${list}`)]
}

const descriptions = { primary: 'the primary', standby: 'a standby', 'read-only': 'read-only' } as const

const describe = ({ host, state, reason }: ServerState): string => {
  if (state === 'unusable') return `${host} cannot be used: ${reason}`
  return `${host} is ${descriptions[state]}`
}
