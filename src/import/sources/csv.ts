import { columnOptions, fromColumns } from './columns.ts'
import type { UserSource } from './source.ts'

export const csv: UserSource = {
  name: 'csv',
  title: 'CSV',
  reading: [{ kind: 'csv' }],
  options: columnOptions,
  toRecord: fromColumns,
}
