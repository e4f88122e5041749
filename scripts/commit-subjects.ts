import { execFileSync } from 'node:child_process'

const maxLength = 72
const ownPath = 'scripts/commit-subjects.ts'

/** The commits with long subjects since the last release or, before the first release, since this check was added. */
export function findLongSubjects(root: string): { long: string[] } | { skipped: string } {
  const git = gitIn(root)
  if (git('rev-parse', '--show-prefix') !== '') return { skipped: 'not a Git checkout' }
  if (git('rev-parse', '--is-shallow-repository') !== 'false')
    return { skipped: 'the clone is shallow, so the last release is unknown' }
  const since =
    git('describe', '--tags', '--match', 'v*', '--abbrev=0') ||
    git('log', '--diff-filter=A', '--format=%H', '--', ownPath)
  if (!since) return { skipped: 'no commit contains the check yet' }
  const commits = git('log', '--no-merges', '--format=%h %s', `${since.split('\n').at(-1)}..HEAD`) ?? ''
  return { long: commits.split('\n').filter((line) => line.slice(line.indexOf(' ') + 1).length > maxLength) }
}

/** Returns undefined if the command fails. Without this option, Git rejects a checkout owned by another user. */
const gitIn =
  (root: string) =>
  (...args: string[]): string | undefined => {
    try {
      return execFileSync('git', ['-c', `safe.directory=${root}`, ...args], {
        cwd: root,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim()
    } catch {
      return undefined
    }
  }

if (import.meta.main) {
  const found = findLongSubjects(process.cwd())
  if ('skipped' in found) console.log(`commit subjects not checked: ${found.skipped}`)
  else if (found.long.length > 0) {
    console.error(`commit subjects must have at most ${maxLength} characters:\n  ${found.long.join('\n  ')}`)
    process.exitCode = 1
  }
}
