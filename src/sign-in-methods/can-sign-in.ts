import type { Transaction } from '../context.ts'
import type { UserWithPassword } from '../users/queries.ts'
export async function assertCanStillSignIn(_tx: Transaction, _user: UserWithPassword): Promise<void> {}
