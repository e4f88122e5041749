/** Bounds for the parameters of imported hashes, so that one sign-in cannot use too much memory or time. */
export const limits = {
  bcryptCost: { min: 4, max: 14 },
  argon2: { memoryKib: 131_072, time: 16, lanes: 16 },
  scryptBytes: 128 * 1024 * 1024,
  scryptWork: 2 ** 22,
  pbkdf2Iterations: 2_000_000,
  phpassLog2: 16,
  textLength: 1_024,
} as const

/**
 * Hashes weaker than this are stored only inside an Argon2id hash. The values for bcrypt, Argon2 and PBKDF2 are the
 * minimums that the OWASP Password Storage Cheat Sheet recommends. scrypt with N=2^14, r=8 uses 16 MiB, about as much
 * memory as our own hashes use by default.
 */
export const minimum = {
  bcryptCost: 10,
  argon2KibPasses: 7_168 * 5,
  scryptWork: 2 ** 17,
  pbkdf2Iterations: { sha1: 1_300_000, sha256: 600_000, sha512: 210_000 },
} as const

export type HashProblem = 'UNKNOWN_HASH' | 'HASH_TOO_EXPENSIVE'

/** The message does not contain the hash, because the message is printed and logged. */
export class UnusableHash extends Error {
  readonly problem: HashProblem
  constructor(problem: HashProblem) {
    super(
      problem === 'UNKNOWN_HASH'
        ? 'UNKNOWN_HASH: the format of the password hash is not known'
        : 'HASH_TOO_EXPENSIVE: the parameters of the password hash exceed the limits',
    )
    this.problem = problem
  }
}

export function assertAffordable(isAffordable: boolean): void {
  if (!isAffordable) throw new UnusableHash('HASH_TOO_EXPENSIVE')
}
