import { AppError, type FieldProblem } from './errors.ts'

export type TryRead = <Value>(read: () => Value) => Value | undefined

/** Throws a single VALIDATION_ERROR that lists the problems in all fields. */
export function readAll<Result>(read: (attempt: TryRead) => Result): Result {
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

export type ReadMember = <Value, Result>(
  value: Value | undefined,
  reader: (value: Value) => Result,
) => Result | undefined

export const readPresent = <Result>(make: (read: ReadMember) => Result): Result =>
  readAll((attempt) => make((value, reader) => (value === undefined ? undefined : attempt(() => reader(value)))))
