/**
 * Whether a name is that of a write-only member, in any spelling: what onboarding learns about where somebody came from
 * and how large their team is. Nothing ever shows its value again, and only the completion of onboarding takes it.
 */
export function isWriteOnlyName(name: string): boolean {
  const folded = name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
  return folded.startsWith('acquisition') || folded === 'teamsizerange'
}

/** Whether a step of the wizard may have this name. What begins it is kept as `start`. */
export const isStepName = (name: string): boolean =>
  /^[a-z][a-z0-9_-]{0,39}$/.test(name) && name !== 'start' && !isWriteOnlyName(name)
