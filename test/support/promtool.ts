import { spawnSync } from 'node:child_process'
import { findProgram, isProgram } from './find-program.ts'

export const noPromtool = 'no promtool found; install prometheus or set PROMTOOL_BIN'

export function findPromtool(): string | undefined {
  const named = process.env.PROMTOOL_BIN
  if (named) return isProgram(named) ? named : undefined
  return findProgram(['promtool'])
}

export const needsPromtool = { skip: !findPromtool() && `skipped: ${noPromtool}` }

/** Runs promtool and returns the exit code and the output. */
export function runPromtool(args: string[], input = ''): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(findPromtool() ?? '', args, { input, encoding: 'utf8' })
  return { status, output: stdout + stderr }
}
