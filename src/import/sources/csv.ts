import { columnOptions, fromColumns } from './columns.ts'
import type { Source } from './source.ts'

export const csv: Source = {
  name: 'csv',
  title: 'CSV',
  reading: [{ kind: 'csv' }],
  options: columnOptions,
  toRecord: fromColumns,
}
