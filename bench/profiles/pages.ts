import { join } from 'node:path'
import type { ClosedResult } from '../load/closed.ts'
import { assertOnly } from '../load/status.ts'
import { cores, startPinned } from '../process/pinned.ts'
import { measure, type Pace } from '../rounds.ts'
import type { Stage } from '../stage.ts'

export interface PageFigures {
  /** Rendering the sign-in page's HTML in a process that does nothing else. */
  render: Pace
  /** GET /login, as sent by a browser. */
  login: Pace
  /** The length of that response's body. */
  bytes: number
}

const connections = 16

export async function measurePages(stage: Stage): Promise<PageFigures> {
  const { bytes, login } = await measureLoginPage(stage)
  return { render: await measureRender(), login, bytes }
}

async function measureRender(): Promise<Pace> {
  const renderer = startPinned(join(import.meta.dirname, '../yardsticks/render.ts'), cores.measured)
  const work = (milliseconds: number) => renderer.ask<number>('render', { milliseconds })
  try {
    return await measure({ process: renderer, work }, 1_000, 3_000)
  } finally {
    await renderer.stop()
  }
}

async function measureLoginPage(stage: Stage): Promise<Pick<PageFigures, 'login' | 'bytes'>> {
  const service = await stage.startService({
    MODULES_AUTO_INSTALL: 'two-factor',
    RATE_LIMIT_READ: '10000000/1s',
    GOOGLE_CLIENT_ID: 'client',
    GOOGLE_CLIENT_SECRET: 'secret of the client',
  })
  const work = async (milliseconds: number) => {
    const load = { requests: 'loginPage', port: service.port, connections, milliseconds }
    const { replies, statuses } = await stage.load.ask<ClosedResult>('closed', load)
    assertOnly(statuses, 200, service.output())
    return replies
  }
  try {
    const login = await measure({ process: service, work }, 3_000, 5_000)
    const page = await fetch(`http://127.0.0.1:${service.port}/login`)
    return { login, bytes: (await page.arrayBuffer()).byteLength }
  } finally {
    await service.stop()
  }
}
