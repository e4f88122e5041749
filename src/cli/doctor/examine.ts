import { availableParallelism } from 'node:os'
import { examineAdvice } from './advice.ts'
import { type EnvironmentVariables, readConfiguration } from './configuration.ts'
import { examineDatabase } from './database.ts'
import { examineDirectory, examineSpace } from './directory.ts'
import { type DoctorFinding, ok, problem } from './finding.ts'
import { examineModulePaths } from './module-paths.ts'
import { examinePasskeyFiles } from './passkey-files.ts'
import { examineRedis, examineSmtp } from './servers.ts'

const oldestNode = '22.15'

export async function examine(environment: EnvironmentVariables): Promise<DoctorFinding[]> {
  const { config, finding } = await readConfiguration(environment)
  if (!config) return [examineNode(), finding]
  const later = await Promise.all([examineDatabase(config), examineRedis(config), examineSmtp(config)])
  return [
    examineNode(),
    finding,
    ...later.flat(),
    examineDirectory(config),
    await examineSpace(config),
    ...examineModulePaths(config),
    ...examinePasskeyFiles(config),
    ...examineAdvice(config),
  ].flat()
}

function examineNode(): DoctorFinding {
  const { node } = process.versions
  if (node.localeCompare(oldestNode, 'en', { numeric: true }) >= 0)
    return ok('Node.js', `${node}, ${availableParallelism()} cores`)
  return problem('Node.js', `${node} is too old: ${oldestNode} or later is needed`)
}
