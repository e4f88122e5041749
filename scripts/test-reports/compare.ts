import type { ReportLine } from '../test/records.ts'

interface Place {
  file: string
  name: string
  /** The parts that run the test. Skipped tests count, because a skip is not a removal. */
  parts: Set<string>
}

/**
 * Compares the tests of two runs by file and name. A test that is gone counts as moved if there is a new test of that
 * name in another file, or with another number in its name, for example of rounds, in the same file. `lost` counts the
 * tests that no longer run at all.
 */
export function compareReports(before: ReportLine[], after: ReportLine[]): { lines: string[]; lost: number } {
  const former = placesOf(before)
  const current = placesOf(after)
  const added = new Map([...current].filter(([key]) => !former.has(key)))
  const gone: Place[] = []
  const moved: [Place, Place][] = []
  const fewer: string[] = []
  for (const [key, place] of former) {
    const same = current.get(key) ?? takeMoved(added, place)
    if (!same) gone.push(place)
    else if (titleOf(same) !== key) moved.push([place, same])
    const lost = same ? [...place.parts].filter((part) => !same.parts.has(part)) : []
    if (same && lost.length > 0)
      fewer.push(`${titleOf(same)}\n    no longer in ${list(lost)}, still in ${list(same.parts)}`)
  }
  const lines = [
    ...section(
      'tests that no longer run',
      gone.map((place) => `${titleOf(place)}\n    was in ${list(place.parts)}`),
    ),
    ...section('tests that run in fewer parts', fewer),
    ...section(
      'tests that moved',
      moved.map(([from, to]) => `${titleOf(to)}\n    was ${titleOf(from)}`),
    ),
    ...section('tests that are new', [...added.values()].map(titleOf)),
    `${former.size} tests before, ${current.size} after: ${gone.length} gone, ${moved.length} moved, ${added.size} new, ${fewer.length} in fewer parts`,
    `${runs(before)} runs of tests before, ${runs(after)} after`,
  ]
  return { lines, lost: gone.length }
}

function placesOf(report: ReportLine[]): Map<string, Place> {
  const places = new Map<string, Place>()
  for (const { part, file, tests } of report) {
    for (const { name } of tests) {
      const key = `${file}: ${name}`
      const place = places.get(key) ?? { file, name, parts: new Set() }
      place.parts.add(part)
      places.set(key, place)
    }
  }
  return places
}

function takeMoved(added: Map<string, Place>, { file, name }: Place): Place | undefined {
  const hasOtherNumber = (place: Place) => place.file === file && withoutNumbers(place.name) === withoutNumbers(name)
  const moved = [...added.values()].find((place) => place.name === name || hasOtherNumber(place))
  if (moved) added.delete(titleOf(moved))
  return moved
}

const withoutNumbers = (name: string): string => name.replaceAll(/\d+/g, '0')
const titleOf = ({ file, name }: Place): string => `${file}: ${name}`
const list = (parts: Iterable<string>): string => [...parts].join(', ')
const runs = (report: ReportLine[]): number => report.reduce((sum, { tests }) => sum + tests.length, 0)

const section = (title: string, items: string[]): string[] =>
  items.length === 0 ? [] : [`${title}: ${items.length}`, ...items.toSorted().map((item) => `  ${item}`), '']
