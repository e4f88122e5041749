import { Connection } from './connection.ts'

/**
 * Runs `work` on this many new connections, then closes them. Rejects if a connection fails, which would make the
 * figures meaningless.
 */
export async function withConnections<Result>(
  port: number,
  count: number,
  work: (connections: Connection[], finish: (result: Result) => void) => void,
): Promise<Result> {
  let connections: Connection[] = []
  try {
    return await new Promise<Result>((resolve, reject) => {
      connections = Array.from({ length: count }, () => new Connection(port, reject))
      work([...connections], resolve)
    })
  } finally {
    for (const connection of connections) connection.close()
  }
}
