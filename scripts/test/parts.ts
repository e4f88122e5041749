import { globSync, readFileSync } from 'node:fs'
import { matchesGlob } from 'node:path'
import { forShortRuns } from '../../test/support/node-options.ts'
import type { Need } from './counterparts.ts'
import { type Fifth, runsEmbedded, runsOnServer } from './doubled.ts'

export const partNames = ['embedded', 'postgres', 'races', 'nodes', 'process', 'browser'] as const
export type PartName = (typeof partNames)[number]

/** A group of test files with the same set-up. */
export interface Part extends Setup {
  name: PartName
  /** Relative to the repository root. */
  files: string[]
}

interface Setup {
  title: string
  holds: (file: string) => boolean
  /** The servers and programs without which the part is skipped. */
  needs: Need[]
  /** The servers and programs that the tests use if they are available. */
  uses: Need[]
  /** The value of TEST_SETUP. */
  setup: 'embedded' | 'postgres' | undefined
}

/** Programs that get and check access tokens. */
const verifiers: Need[] = ['authlib', 'go-oidc', 'mod-oauth2']

const setups: Record<PartName, Setup> = {
  embedded: {
    title: 'suite on the embedded database',
    holds: isSuite,
    needs: [],
    uses: verifiers,
    setup: 'embedded',
  },
  postgres: {
    title: 'suite on server PostgreSQL',
    holds: (file) => isSuite(file) && usesDatabase(file),
    needs: ['postgres'],
    uses: ['postgres'],
    setup: 'postgres',
  },
  races: {
    title: 'race suite',
    holds: isBelow('races'),
    needs: ['postgres'],
    uses: ['postgres', 'redis'],
    setup: 'postgres',
  },
  nodes: {
    title: 'two-node suite',
    holds: isBelow('nodes'),
    needs: ['postgres', 'redis'],
    uses: ['postgres', 'redis', 'nginx', 'haproxy', 'caddy', 'apache', 'pgbouncer'],
    setup: 'postgres',
  },
  process: {
    title: 'process suite',
    holds: isBelow('process'),
    needs: [],
    uses: ['postgres', 'redis', 'prometheus'],
    setup: undefined,
  },
  browser: {
    title: 'browser suite',
    holds: isBelow('browser'),
    needs: ['chromium'],
    uses: ['chromium', 'go', 'php', 'fastapi', 'mod-auth-openidc'],
    setup: 'embedded',
  },
}

/** The files that a run includes. */
export interface Selection {
  only: PartName[]
  /** Files, parts of names, or globs. */
  patterns: string[]
  /** Which doubled files also run on the embedded database. Default: all of them. */
  fifth?: Fifth
}

/** The parts with files to run. */
export function planParts({ only, patterns, fifth = 'all' }: Selection): Part[] {
  const wanted = globSync('test/**/*.test.ts')
    .sort()
    .filter((file) => isWanted(file, patterns))
  return partNames
    .filter((name) => only.length === 0 || only.includes(name))
    .map((name) => ({ name, ...setups[name], files: wanted.filter((file) => runsIn(name, file, fifth)) }))
    .filter(({ files }) => files.length > 0)
}

export function isPartName(name: string): name is PartName {
  return name in setups
}

/** The Node.js options for a file. Files that measure durations run with the defaults, as the service does. */
export const nodeOptions = (isAlone: boolean): readonly string[] => (isAlone ? [] : forShortRuns)

function isWanted(file: string, patterns: string[]): boolean {
  return patterns.length === 0 || patterns.some((pattern) => file.includes(pattern) || matchesGlob(file, pattern))
}

function isBelow(folder: string): (file: string) => boolean {
  return (file) => file.startsWith(`test/${folder}/`)
}

/** Unless a run includes all fifths, most of the doubled files run in only one of the two parts. */
function runsIn(name: PartName, file: string, fifth: Fifth): boolean {
  if (!setups[name].holds(file)) return false
  const isDoubled = setups.embedded.holds(file) && setups.postgres.holds(file)
  if (!isDoubled || fifth === 'all') return true
  return name === 'embedded' ? runsEmbedded(file, fifth) : runsOnServer(file)
}

function isSuite(file: string): boolean {
  return !['races', 'nodes', 'process', 'browser'].some((folder) => isBelow(folder)(file))
}

function usesDatabase(file: string): boolean {
  return /\bfrom '.*\/(test-app|nodes|place)\.ts'$|\b(openEmpty|openUsers)\b/m.test(readFileSync(file, 'utf8'))
}
