import type { ReportLine } from '../test/records.ts'

/** Compares the tests of two runs by file and name. `lost` counts the tests that no longer run at all. */
export function compareReports(before: ReportLine[], after: ReportLine[]): { lines: string[]; lost: number } {
  const former = placesOf(before)
  const current = placesOf(after)
  const gone = [...former.keys()].filter((name) => !current.has(name))
  const added = [...current.keys()].filter((name) => !former.has(name))
  const fewer = [...former].flatMap(([name, places]) => {
    const kept = current.get(name)
    const lost = kept ? [...places].filter((place) => !kept.has(place)) : []
    return lost.map((place) => `${name}\n    no longer in ${place}, still in ${[...(kept ?? [])].join(', ')}`)
  })
  const lines = [
    ...section(
      'tests that no longer run',
      gone.map((name) => `${name}\n    was in ${[...former.get(name)!].join(', ')}`),
    ),
    ...section('tests that run in fewer parts', fewer),
    ...section('tests that are new', added),
    `${former.size} tests before, ${current.size} after: ${gone.length} gone, ${added.length} new, ${fewer.length} in fewer parts`,
    `${runs(before)} runs of tests before, ${runs(after)} after`,
  ]
  return { lines, lost: gone.length }
}

/** The parts that run each test. Skipped tests count, because a skip is not a removal. */
function placesOf(report: ReportLine[]): Map<string, Set<string>> {
  const places = new Map<string, Set<string>>()
  for (const { part, file, tests } of report) {
    for (const { name } of tests) {
      const key = `${file}: ${name}`
      places.set(key, (places.get(key) ?? new Set()).add(part))
    }
  }
  return places
}

const runs = (report: ReportLine[]): number => report.reduce((sum, { tests }) => sum + tests.length, 0)

const section = (title: string, items: string[]): string[] =>
  items.length === 0 ? [] : [`${title}: ${items.length}`, ...items.toSorted().map((item) => `  ${item}`), '']
