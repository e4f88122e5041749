export type SessionChange = 'signed_in' | 'signed_out'

export interface SessionChanges {
  tell(change: SessionChange): void
  listen(listener: (change: SessionChange) => void): () => void
}

/** The browser APIs that this file uses. Any of them may be missing in other environments. */
interface PageGlobals {
  document?: unknown
  BroadcastChannel?: new (name: string) => { onmessage: unknown; postMessage(value: unknown): void }
  localStorage?: { setItem(name: string, value: string): void }
  addEventListener?(type: 'storage', listener: (event: { key: string | null; newValue: string | null }) => void): void
}

const page = globalThis as PageGlobals

interface Tabs {
  post(change: SessionChange): void
}

const isChange = (value: unknown): value is SessionChange => value === 'signed_in' || value === 'signed_out'

/**
 * Notifies this page and the browser's other tabs when a user signs in or out. The notification does not identify the
 * user.
 */
export function sessionChanges(service: string): SessionChanges {
  const listeners = new Set<(change: SessionChange) => void>()
  const hear = (value: unknown) => {
    if (isChange(value)) for (const listener of [...listeners]) listener(value)
  }
  let tabs: Tabs | undefined
  const openTabs = () => {
    // Outside a browser, there are no tabs, and an open channel would keep the process from exiting.
    tabs ??= page.document === undefined ? { post() {} } : connectTabs(`wardenry ${service}`, hear)
    return tabs
  }
  return {
    tell(change) {
      hear(change)
      openTabs().post(change)
    },
    listen(listener) {
      openTabs()
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

function connectTabs(name: string, hear: (value: unknown) => void): Tabs {
  if (page.BroadcastChannel) {
    const channel = new page.BroadcastChannel(name)
    channel.onmessage = ({ data }: { data: unknown }) => hear(data)
    return { post: (change) => channel.postMessage(change) }
  }
  page.addEventListener?.('storage', ({ key, newValue }) => {
    if (key === name) hear(newValue?.split(' ')[0])
  })
  return {
    post(change) {
      try {
        // Browsers do not fire a `storage` event unless the value changes, so each value is made unique.
        page.localStorage?.setItem(name, `${change} ${Date.now()} ${Math.random()}`)
      } catch {
        // Without storage, other tabs cannot be notified.
      }
    },
  }
}
