import { checkRecord } from '../record.ts'
import type { Source } from './source.ts'

/** The file that `wardenry user export` writes. */
export const wardenry: Source = {
  name: 'wardenry',
  title: 'Wardenry',
  reading: [{ kind: 'jsonl' }],
  toRecord: (row) => {
    const checked = checkRecord(row)
    return 'problem' in checked ? checked : { record: checked.record, lost: [] }
  },
}
