import { columnOptions, fromColumns } from './columns.ts'
import type { Source } from './source.ts'

export const jsonl: Source = {
  name: 'jsonl',
  title: 'JSON Lines',
  reading: [{ kind: 'jsonl' }],
  options: columnOptions,
  toRecord: fromColumns,
}
