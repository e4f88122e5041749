import { columnOptions, fromColumns } from './columns.ts'
import type { UserSource } from './source.ts'

export const jsonl: UserSource = {
  name: 'jsonl',
  title: 'JSON Lines',
  reading: [{ kind: 'jsonl' }],
  options: columnOptions,
  toRecord: fromColumns,
}
