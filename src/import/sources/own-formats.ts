import type { ImportRecord } from '../record.ts'
import { columnOptions, fromColumns, problemOfColumns } from './columns.ts'
import { isRow } from './read-row.ts'
import type { UserSource } from './source.ts'

/** The file that `wardenry user export` writes. */
export const wardenry: UserSource = {
  name: 'wardenry',
  title: 'Wardenry',
  reading: [{ kind: 'jsonl' }],
  toRecord: (row) =>
    isRow(row) ? { record: row as ImportRecord, lost: [] } : { problem: 'the record must be a JSON object' },
}

const withColumns = (name: 'csv' | 'jsonl', title: string): UserSource => ({
  name,
  title,
  reading: [{ kind: name }],
  options: columnOptions,
  problemOfColumns,
  toRecord: fromColumns,
})

export const csv = withColumns('csv', 'CSV')

export const jsonl = withColumns('jsonl', 'JSON Lines')
