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

const withColumns = (name: 'csv' | 'jsonl', title: string): UserSource => ({
  name,
  title,
  reading: [{ kind: name }],
  options: columnOptions,
  toRecord: fromColumns,
})

export const csv = withColumns('csv', 'CSV')

export const jsonl = withColumns('jsonl', 'JSON Lines')
