import { EventEmitter, once } from 'node:events'
import type { AddressInfo, Server, Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerAuthentication, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server'
import { type ReadMail, readMail } from './read-mail.ts'

export interface SinkMail extends ReadMail {
  /** The addresses in the SMTP envelope, which can differ from those in the headers. */
  envelope: { from: string; to: string[] }
  raw: string
}

export type Stage = 'connect' | 'auth' | 'from' | 'to' | 'data'

/** An SMTP reply code, no response, or a lost connection. */
export type Fault = number | 'hang' | 'drop'

/** A loopback SMTP server that stores the emails it receives. Tests can make it fail. */
export interface SmtpSink {
  /** Stays the same while the sink refuses connections. */
  url: string
  /** The emails accepted so far, oldest first. */
  mails: SinkMail[]
  /** Waits for an email. Each email is returned only once, oldest first. */
  waitFor(to: string, subject?: string | RegExp, limit?: number): Promise<SinkMail>
  /** Makes this stage of the SMTP dialogue fail with this fault. */
  failAt(stage: Stage, fault: Fault): void
  /** Stops listening so that new connections are refused. */
  refuse(): Promise<void>
  /** Removes all faults and listens again. */
  heal(): Promise<void>
  stop(): Promise<void>
}

export interface SinkOptions {
  /** If set, senders must authenticate with these credentials. */
  login?: { user: string; pass: string }
}

export async function startSmtpSink({ login }: SinkOptions = {}): Promise<SmtpSink> {
  const state: State = { mails: [], faults: new Map(), sockets: new Set(), arrivals: new EventEmitter() }
  const smtp = new SMTPServer({ ...quietAndPlain, authOptional: !login, ...dialogue(state, login) })
  // Errors are ignored because many tests break connections on purpose.
  smtp.on('error', () => {})
  smtp.server.on('connection', (socket) => {
    state.sockets.add(socket)
    socket.once('close', () => state.sockets.delete(socket))
  })
  await once(smtp.listen(0, '127.0.0.1'), 'listening')
  const { port } = smtp.server.address() as AddressInfo
  const userinfo = login ? `${encodeURIComponent(login.user)}:${encodeURIComponent(login.pass)}@` : ''

  return {
    url: `smtp://${userinfo}127.0.0.1:${port}`,
    mails: state.mails,
    waitFor: mailbox(state),
    failAt: (stage, fault) => void state.faults.set(stage, fault),
    refuse: () => close(smtp.server, state),
    async heal() {
      state.faults.clear()
      if (!smtp.server.listening) await once(smtp.server.listen(port, '127.0.0.1'), 'listening')
    },
    stop: () => close(smtp.server, state),
  }
}

interface State {
  mails: SinkMail[]
  faults: Map<Stage, Fault>
  sockets: Set<Socket>
  arrivals: EventEmitter
}

// STARTTLS is disabled because clients would reject the test certificate.
const quietAndPlain: SMTPServerOptions = {
  disabledCommands: ['STARTTLS'],
  allowInsecureAuth: true,
  disableReverseLookup: true,
}

function dialogue(state: State, login?: { user: string; pass: string }): SMTPServerOptions {
  const isRight = (given: SMTPServerAuthentication) =>
    !login || (given.username === login.user && given.password === login.pass)
  return {
    onConnect: (_session, done) => meet(state, 'connect', done),
    onMailFrom: (_address, _session, done) => meet(state, 'from', done),
    onRcptTo: (_address, _session, done) => meet(state, 'to', done),
    onAuth(given, _session, done) {
      meet(state, 'auth', (fault) => done(fault ?? (isRight(given) ? null : rejection(535)), { user: given.username }))
    },
    async onData(stream, session, done) {
      const raw = await buffer(stream).catch(() => undefined)
      // The client disconnected before the end of the email.
      if (!raw) return done(rejection(451))
      meet(state, 'data', (fault) => {
        if (!fault) keep(state, raw, session.envelope)
        done(fault)
      })
    },
  }
}

function meet({ faults, sockets }: State, stage: Stage, answer: (fault?: Error) => void): void {
  const fault = faults.get(stage)
  if (fault === 'drop') destroyAll(sockets)
  else if (fault !== 'hang') answer(fault === undefined ? undefined : rejection(fault))
}

const rejection = (responseCode: number) => Object.assign(new Error('refused, as the test wants it'), { responseCode })

function keep({ mails, arrivals }: State, raw: Buffer, { mailFrom, rcptTo }: SMTPServerSession['envelope']): void {
  const envelope = { from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address) }
  mails.push({ ...readMail(raw), envelope, raw: raw.toString() })
  arrivals.emit('mail')
}

function mailbox({ mails, arrivals }: State): SmtpSink['waitFor'] {
  const handedOut = new Set<SinkMail>()
  return async (to, subject, limit = 30_000) => {
    const fits = (mail: SinkMail) => mail.envelope.to.includes(to) && subjectFits(mail.subject, subject)
    const signal = AbortSignal.timeout(limit)
    for (;;) {
      const mail = mails.find((mail) => !handedOut.has(mail) && fits(mail))
      if (mail) {
        handedOut.add(mail)
        return mail
      }
      await once(arrivals, 'mail', { signal }).catch(() => {
        const seen = mails.map((mail) => `${mail.envelope.to}: ${mail.subject}`).join('; ')
        throw new Error(`no mail ${subject ?? ''} to ${to} within ${limit} ms; the sink holds: ${seen || 'nothing'}`)
      })
    }
  }
}

function subjectFits(subject: string, wanted: string | RegExp = ''): boolean {
  return typeof wanted === 'string' ? subject.includes(wanted) : wanted.test(subject)
}

async function close(server: Server, { sockets }: State): Promise<void> {
  if (!server.listening) return
  server.close()
  destroyAll(sockets)
  await once(server, 'close')
}

function destroyAll(sockets: Set<Socket>): void {
  for (const socket of sockets) socket.destroy()
}
