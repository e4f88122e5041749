import { setTimeout as sleep } from 'node:timers/promises'
import { type Service, startService } from '../support/child.ts'
import { freePort } from '../support/free-port.ts'
import { bridgeSecret, call, migratedDatabase, newDeployment } from './nodes.ts'

/** The total number of restarts. Nodes are restarted one after the other. */
export const restartCount = Number(process.env.RESTARTS ?? 4)

/** In milliseconds. A busy machine does fewer restarts so that the file does not exceed its time limit. */
const longestRun = 150_000 * Math.max(1, restartCount / 20)
const minRestarts = 4

const settings = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://id.example.com',
  SESSION_MAX_PER_USER: '1000',
  ...Object.fromEntries(
    ['LOGIN', 'WRITE', 'READ', 'BRIDGE'].map((name) => [`RATE_LIMIT_${name}`, '100000/1m'] as const),
  ),
}

export interface RestartableNodes {
  ports: [number, number]
  urls: [string, string]
  /**
   * Restarts the nodes in turn, each on its own port, and waits until each is ready again. Returns the number of
   * restarts.
   */
  restartInTurn(beforeEach?: () => Promise<void>): Promise<number>
  stop(): Promise<void>
}

/** Two nodes in production mode on one new database. */
export async function startRestartableNodes(): Promise<RestartableNodes> {
  const database = await migratedDatabase()
  const shared = { ...newDeployment(), ...settings, BRIDGE_SECRET: bridgeSecret, DATABASE_URL: database.url }
  const ports: [number, number] = [await freePort(), await freePort()]
  const urls = ports.map((port) => `http://127.0.0.1:${port}`) as [string, string]
  const start = (port: number) => startService({ ...shared, PORT: String(port) })
  const services: Service[] = await Promise.all(ports.map(start))
  await Promise.all(urls.map(isReady))
  const restart = async (node: number) => {
    const code = await services[node]!.stop()
    if (code !== 0) throw new Error(`a node ended with ${code}:\n${services[node]!.output()}`)
    services[node] = await start(ports[node]!)
    await isReady(urls[node]!)
  }
  return {
    ports,
    urls,
    async restartInTurn(beforeEach = async () => {}) {
      const end = performance.now() + longestRun
      let round = 0
      for (; round < restartCount && (round < minRestarts || performance.now() < end); round++) {
        await beforeEach()
        await restart(round % 2)
      }
      return round
    },
    async stop() {
      await Promise.all(services.map((service) => service.stop()))
      await database.drop()
    },
  }
}

async function isReady(url: string): Promise<void> {
  while ((await call(`${url}/health/ready`)).status !== 200) await sleep(50)
}
