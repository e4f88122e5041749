export interface DoctorFinding {
  state: 'ok' | 'notice' | 'problem'
  about: string
  /** The first line states the result and, if necessary, what to do. The other lines are details. */
  text: string
}

const marks = { ok: '✓', notice: '!', problem: '✗' } as const

export const ok = (about: string, text: string): DoctorFinding => ({ state: 'ok', about, text })
export const notice = (about: string, text: string): DoctorFinding => ({ state: 'notice', about, text })
export const problem = (about: string, text: string): DoctorFinding => ({ state: 'problem', about, text })

export const isHealthy = (findings: DoctorFinding[]): boolean => findings.every(({ state }) => state !== 'problem')

export function report(findings: DoctorFinding[]): string {
  const width = Math.max(...findings.map(({ about }) => about.length))
  const lines = findings.map(({ state, about, text }) => {
    const indented = text.split('\n').join(`\n${' '.repeat(width + 6)}`)
    return `  ${marks[state]} ${about.padEnd(width)}  ${indented}`
  })
  return `\n${lines.join('\n')}\n\n${summary(findings)}\n`
}

function summary(findings: DoctorFinding[]): string {
  const count = (state: DoctorFinding['state']) => findings.filter((finding) => finding.state === state).length
  const [problems, notices] = [count('problem'), count('notice')]
  if (problems > 0) return `${problems === 1 ? '1 problem' : `${problems} problems`} to fix.`
  return notices > 0 ? 'Ready. See the entries marked with !.' : 'Ready.'
}
