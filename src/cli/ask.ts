import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

export async function ask(question: string): Promise<string> {
  if (!process.stdin.isTTY) throw new Error('There is no terminal to ask for the email address: pass it with --email')
  return readLine(question, process.stderr)
}

export async function confirm(question: string, isAgreed: boolean | undefined): Promise<void> {
  if (isAgreed) return
  if (!process.stdin.isTTY) throw new Error(`${question}\nAdd --yes to confirm. Nothing was changed.`)
  const response = await readLine(`${question}\nContinue? [y/N] `, process.stderr)
  if (!/^y(es)?$/i.test(response.trim())) throw new Error('Cancelled. Nothing was changed.')
}

export async function askPassword(advice: string): Promise<string> {
  if (!process.stdin.isTTY) return firstLineOfInput(advice)
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const password = await readHidden('Password: ', nowhere)
  const again = await readHidden('Password again: ', nowhere)
  if (password !== again) throw new Error('The two passwords differ. Nothing was changed.')
  return password
}

async function readHidden(question: string, nowhere: Writable): Promise<string> {
  process.stderr.write(question)
  const line = await readLine('', nowhere)
  process.stderr.write('\n')
  return line
}

async function readLine(question: string, output: NodeJS.WritableStream): Promise<string> {
  const lines = createInterface({ input: process.stdin, output, terminal: true })
  const leave = new AbortController()
  lines.once('SIGINT', () => leave.abort())
  lines.once('close', () => leave.abort())
  try {
    return await lines.question(question, { signal: leave.signal })
  } catch {
    process.stderr.write('\n')
    throw new Error('Cancelled. Nothing was changed.')
  } finally {
    lines.close()
  }
}

export async function readInput(): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

async function firstLineOfInput(advice: string): Promise<string> {
  const [line = ''] = (await readInput()).split(/\r?\n/)
  if (line === '') throw new Error(`No password was given: ${advice}`)
  return line
}
