import { checkRecord } from '../record.ts'
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
