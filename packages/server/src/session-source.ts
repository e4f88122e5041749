import { askService } from './ask-service.ts'
import { cachedSessions } from './cached-sessions.ts'
import { followEvents } from './event-stream.ts'
import type { Settings } from './options.ts'
import type { SessionSource } from './session.ts'

/** Validates sessions from this process's memory, or with the service if the memory may be stale. */
export const sessionSource = (
  settings: Pick<Settings, 'internalUrl' | 'bridgeSecret' | 'fetch' | 'maxSessions'>,
): SessionSource =>
  cachedSessions({
    ask: askService(settings),
    follow: (handler) => followEvents(settings, handler),
    maxSessions: settings.maxSessions,
  })
