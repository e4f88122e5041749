/** The columns that a request changes, and their values before and after it, for the audit trail. */
export function changesOf<Row extends object>(row: Row, given: { [Name in keyof Row]?: Row[Name] | undefined }) {
  const changed = (Object.keys(given) as (keyof Row & string)[]).filter(
    (name) => given[name] !== undefined && JSON.stringify(given[name]) !== JSON.stringify(row[name]),
  )
  const pick = (from: object) =>
    Object.fromEntries(Object.entries(from).filter(([name]) => changed.includes(name as never)))
  return { changed, before: pick(row), after: pick(given), columns: pick(given) as Partial<Row> }
}
