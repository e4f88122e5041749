import { compileValidator } from '../../http/parsing/validation.ts'
import { AppError, type FieldProblem } from '../../lib/errors.ts'
import { readAll } from '../../lib/read-all.ts'
import { type ReadInput, readApplication } from '../read-input.ts'
import { ApplicationsFile } from './schemas.ts'

/** An application as a file describes it. Members that are missing stay as they are. */
export interface FileEntry {
  key: string
  read: ReadInput
  enabled: boolean | undefined
}

const validate = compileValidator({ schema: ApplicationsFile, httpPart: 'body' })

/** Throws VALIDATION_ERROR with all problems. Addresses are compared with those of other applications later. */
export function readApplicationsFile(text: string): FileEntry[] {
  const { error } = validate(parsed(text))
  if (error) throw error
  const { applications } = parsed(text) as ApplicationsFile
  return readAll((attempt) =>
    applications.flatMap(
      ({ enabled, ...input }) =>
        attempt(() => naming(input.key, () => ({ key: input.key, read: readApplication(input), enabled }))) ?? [],
    ),
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw rejected([{ field: 'file', message: `is not valid JSON: ${(error as Error).message}` }])
  }
}

/** Adds the key of the application to the fields of rejections. */
function naming<Result>(key: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof AppError && error.details)) throw error
    throw rejected(error.details.map(({ field, message }) => ({ field: `${key}.${field}`, message })))
  }
}

export const rejected = (details: FieldProblem[]): AppError => new AppError('VALIDATION_ERROR', { details })
