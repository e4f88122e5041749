import type { Transaction } from '../context.ts'
import type { LoadedModule } from '../hub/define-module.ts'
import type { InstalledComponent } from './format.ts'

/** Even kept sessions are no reason to trust a key that may have been compromised since. */
export async function withdrawRestored(
  tx: Transaction,
  { keepSessions }: { keepSessions: boolean },
  installed: readonly InstalledComponent[],
  modules: readonly LoadedModule[],
): Promise<void> {
  for (const { id, withdrawRestored: withdraw } of modules)
    if (withdraw && installed.some(({ module_id }) => module_id === id)) await withdraw(tx, { keepSessions })
}
