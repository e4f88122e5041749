import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { test } from 'node:test'
import { eventually } from './eventually.ts'
import { freePort } from './free-port.ts'
import { openScratch } from './scratch.ts'

const forever = 'setInterval(() => {}, 1000)'

test('closing a scratch ends its process and removes its directory', async () => {
  const scratch = await openScratch('test')
  const process = await scratch.start(globalThis.process.execPath, ['-e', forever])
  assert.ok(existsSync(scratch.directory))
  await scratch.close()
  assert.equal(await process.exited, 128 + 9)
  assert.equal(existsSync(scratch.directory), false)
})

test('process and directory are gone soon after their owner was killed', async () => {
  const port = await freePort()
  const server = `require('node:net').createServer().listen(${port}, '127.0.0.1', () => console.log('ready'))`
  const owner = `
    import { openScratch } from ${JSON.stringify(import.meta.resolve('./scratch.ts'))}
    const scratch = await openScratch('test')
    const server = await scratch.start(process.execPath, ['-e', ${JSON.stringify(server)}])
    await server.until(async () => server.output() !== '')
    console.log(scratch.directory)
    ${forever}`
  const child = spawn(process.execPath, ['--input-type=module', '-e', owner], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(child.stdout, 'data')
  const directory = String(line).trim()
  assert.ok(existsSync(directory))

  child.kill('SIGKILL')
  await eventually(() => !existsSync(directory), 30_000)
  await assert.rejects(once(connect(port, '127.0.0.1'), 'connect'), { code: 'ECONNREFUSED' })
})

test('a process that ends before it is ready is reported with what it wrote', async () => {
  const scratch = await openScratch('test')
  const process = await scratch.start(globalThis.process.execPath, ['-e', 'console.error("no way"); process.exit(3)'])
  await assert.rejects(
    process.until(async () => false),
    /ended with code 3:\nno way/,
  )
  await scratch.close()
})

test('a process that ignores the request to end is killed after the limit', async () => {
  const scratch = await openScratch('test')
  const stubborn = `process.on('SIGTERM', () => {}); console.log('ready'); ${forever}`
  const process = await scratch.start(globalThis.process.execPath, ['-e', stubborn])
  await process.until(async () => process.output() !== '')
  assert.equal(await process.end('SIGTERM', 50), 128 + 9)
  await scratch.close()
})
