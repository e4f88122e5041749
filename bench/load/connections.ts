import { Connection } from './connection.ts'

/**
 * Runs `work` on this many new connections and closes them afterwards. The first connection that fails ends the run,
 * because figures from a server that refuses or drops requests are meaningless.
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
