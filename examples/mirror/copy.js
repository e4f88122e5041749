import { setTimeout as sleep } from 'node:timers/promises'

/** Copies all users, and then each user about whom an event has arrived. Does not return. */
export async function keepCopying(store, reader) {
  for (;;) {
    try {
      if (!(await copyNext(store, reader))) await sleep(200)
    } catch (error) {
      // Wardenry may be restarting.
      console.error(error.message)
      await sleep(1000)
    }
  }
}

/** Returns whether there may be more work. */
async function copyNext(store, reader) {
  const position = store.copyPosition()
  if (!position.is_complete) {
    const { users, next } = await reader.readPage(position)
    store.storeCopied(users, next)
    return true
  }
  const changed = store.changed()
  if (changed.length === 0) return false
  store.storeChanged(changed, await reader.readUsers(changed.map(({ id }) => id)))
  return true
}
