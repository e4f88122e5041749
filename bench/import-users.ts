import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '../test/support/postgres.ts'
import { entry } from './service.ts'

// Measures `wardenry user import --run` with `node bench/import-users.ts --users 100000 --engine postgres`. Each user
// has a bcrypt hash, a phone number, an identity and metadata. The import's rate includes the start and two checks of
// the file, or one check with `--skip-invalid`.
const { values } = parseArgs({
  options: {
    users: { type: 'string', default: '50000' },
    engine: { type: 'string', default: 'postgres' },
    'skip-invalid': { type: 'boolean', default: false },
  },
})
const users = Number(values.users)
const directory = await mkdtemp(join(tmpdir(), 'wardenry-bench-'))
const server = values.engine === 'postgres' ? await startPostgres({ durable: true, sharedBuffers: '256MB' }) : undefined
const env = {
  PATH: process.env.PATH,
  DATA_DIR: join(directory, 'data'),
  ...(server && {
    DATABASE_URL: await server.createDatabase(),
    AUTH_SECRET: randomBytes(32).toString('base64'),
    DATA_KEYS: `1:${randomBytes(32).toString('base64')}`,
  }),
}
try {
  const file = join(directory, 'users.jsonl')
  await writeUsers(file)
  const empty = await runCommand(['user', 'list'])
  const plan = await runCommand(['user', 'import', file, '--from', 'wardenry'])
  const skip = values['skip-invalid'] ? ['--skip-invalid'] : []
  const run = await runCommand(['user', 'import', file, '--from', 'wardenry', '--run', ...skip])
  const again = await runCommand(['user', 'import', file, '--from', 'wardenry', '--run'])
  const rate = (seconds: number) => Math.round(users / seconds)
  process.stdout.write(
    `${values.engine}, ${users} users\n` +
      `start      ${empty.seconds.toFixed(1)} s\n` +
      `plan       ${plan.seconds.toFixed(1)} s, ${rate(plan.seconds)} users/s, ${plan.memoryMb} MB\n` +
      `import     ${run.seconds.toFixed(1)} s, ${rate(run.seconds)} users/s, ${run.memoryMb} MB\n` +
      `repeated   ${again.seconds.toFixed(1)} s, ${again.memoryMb} MB\n`,
  )
} finally {
  await server?.stop()
  await rm(directory, { recursive: true, force: true })
}

async function writeUsers(path: string): Promise<void> {
  const stream = createWriteStream(path)
  const names = ['Ada', 'Grace', 'Alan', 'Barbara', 'Edsger', 'Margaret', 'Ken', 'Radia']
  for (let index = 0; index < users; index++) {
    const record = {
      external_id: `auth0|${index}`,
      email: `User${index}@Example.com`,
      user_name: `user${index}`,
      name: names[index % names.length],
      last_name: `Doe ${index}`,
      phone: `+4915${100_000_000 + index}`,
      is_verified: true,
      lang: 'de',
      created_at: new Date(1.6e12 + index * 1000).toISOString(),
      metadata: { plan: 'pro', number: index },
      password_hash: '$2y$10$pRa6R7WmJ866l/0n8vwQC.S5nKRuwC.Y9aH9wNeETnSXL8pkdzPNC',
      identities: [{ provider: 'google', subject: String(1e12 + index) }],
    }
    if (!stream.write(`${JSON.stringify(record)}\n`)) await once(stream, 'drain')
  }
  stream.end()
  await once(stream, 'finish')
}

async function runCommand(args: string[]): Promise<{ seconds: number; memoryMb: number }> {
  const begin = performance.now()
  const child = spawn(process.execPath, [entry, ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  let memoryMb = 0
  const watch = setInterval(async () => {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '')
    memoryMb = Math.max(memoryMb, Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024))
  }, 200)
  const [code] = await once(child, 'exit')
  clearInterval(watch)
  if (code !== 0) throw new Error(`${args.join(' ')} exited with ${code}`)
  return { seconds: (performance.now() - begin) / 1000, memoryMb }
}
