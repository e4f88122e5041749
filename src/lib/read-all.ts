import { AppError, type FieldProblem } from './errors.ts'

/** Reads one field; undefined if it is invalid, which is recorded. */
export type Attempt = <Value>(read: () => Value) => Value | undefined

/** Collects the problems of all fields. Throws VALIDATION_ERROR with all of them. */
export function readAll<Result>(read: (attempt: Attempt) => Result): Result {
  const problems: FieldProblem[] = []
  const result = read((readField) => {
    try {
      return readField()
    } catch (error) {
      if (!(error instanceof AppError && error.details)) throw error
      problems.push(...error.details)
      return undefined
    }
  })
  if (problems.length > 0) throw new AppError('VALIDATION_ERROR', { details: problems })
  return result
}

/** Only if the member is present. */
export type ReadMember = <Value, Result>(
  value: Value | undefined,
  reader: (value: Value) => Result,
) => Result | undefined

/** For optional members, which are undefined if absent. */
export const readGiven = <Result>(make: (read: ReadMember) => Result): Result =>
  readAll((attempt) => make((value, reader) => (value === undefined ? undefined : attempt(() => reader(value)))))
