const firstPause = 50
const maxDelayMs = 2_000
/** In milliseconds. A connection that breaks within this time counts as a failed attempt. */
const settled = 5_000

export interface KeepOptions<Connection> {
  /**
   * On failure, must close its resources and reject within a bounded time. Must call `lost` if the connection breaks.
   */
  open(lost: () => void): Promise<Connection>
  /** Must not throw. */
  shut(connection: Connection): void
  /**
   * Called after the first attempt, and whenever the connection is lost or restored. `error` is that of a failed
   * attempt. Must not throw.
   */
  onChange(up: boolean, error?: unknown): void
}

export interface PersistentConnection<Connection> {
  current(): Connection | undefined
  drop(): void
  close(): void
}

/** Resolves after the first attempt, even if it fails. Reconnects after a delay of at most two seconds. */
export async function keepConnected<Connection>(
  options: KeepOptions<Connection>,
): Promise<PersistentConnection<Connection>> {
  let current: Connection | undefined
  let wasUp: boolean | undefined
  let upSince = 0
  let failures = 0
  let retry: NodeJS.Timeout | undefined
  let closed = false

  async function connect(): Promise<void> {
    let opened: Connection | undefined
    let isLost = false
    const lost = () => {
      isLost = true
      if (opened !== undefined && opened === current) drop()
    }
    try {
      opened = await options.open(lost)
    } catch (error) {
      return tryLater(error)
    }
    if (closed) return options.shut(opened)
    if (isLost) {
      options.shut(opened)
      return tryLater()
    }
    current = opened
    upSince = performance.now()
    report(true)
  }

  function drop(): void {
    if (current === undefined) return
    const dropped = current
    current = undefined
    if (performance.now() - upSince > settled) failures = 0
    options.shut(dropped)
    tryLater()
  }

  function tryLater(error?: unknown): void {
    if (closed) return
    report(false, error)
    retry = setTimeout(connect, Math.min(maxDelayMs, firstPause * 2 ** failures))
    failures = Math.min(failures + 1, 10)
  }

  function report(up: boolean, error?: unknown): void {
    if (up === wasUp) return
    wasUp = up
    options.onChange(up, error)
  }

  function close(): void {
    closed = true
    clearTimeout(retry)
    if (current !== undefined) options.shut(current)
    current = undefined
  }

  await connect()
  return { current: () => current, drop, close }
}
