import { checkRecord } from '../record.ts'
import { columnOptions, fromColumns } from './columns.ts'
import type { UserSource } from './source.ts'

/** The file that `wardenry user export` writes. */
export const wardenry: UserSource = {
  name: 'wardenry',
  title: 'Wardenry',
  reading: [{ kind: 'jsonl' }],
  toRecord: (row) => {
    const checked = checkRecord(row)
    return 'problem' in checked ? checked : { record: checked.record, lost: [] }
  },
}

export const csv: UserSource = {
  name: 'csv',
  title: 'CSV',
  reading: [{ kind: 'csv' }],
  options: columnOptions,
  toRecord: fromColumns,
}

export const jsonl: UserSource = {
  name: 'jsonl',
  title: 'JSON Lines',
  reading: [{ kind: 'jsonl' }],
  options: columnOptions,
  toRecord: fromColumns,
}
