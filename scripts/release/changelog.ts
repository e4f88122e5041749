/** A release heading has the form `## [1.2.3] - 2026-01-31`. Until the release, a word may replace the date. */
export function changelogProblems(changelog: string, version: string, purpose: 'check' | 'publish'): string[] {
  const sections = changelog.split(/^## /m).slice(1)
  const section = sections.find((text) => text.startsWith(`[${version}]`))
  if (section === undefined) return [`CHANGELOG.md has no section [${version}]`]
  const [heading = '', ...lines] = section.split('\n')
  const isDated = /^\[[^\]]+\] - \d{4}-\d{2}-\d{2}$/.test(heading)
  return [
    ...(lines.some((line) => line.startsWith('- ')) ? [] : [`CHANGELOG.md lists no change under [${version}]`]),
    ...(purpose === 'publish' && !isDated ? [`CHANGELOG.md has no date in the heading of [${version}]`] : []),
  ]
}
