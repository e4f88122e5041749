import { setTimeout as sleep } from 'node:timers/promises'
import { person, type SignedIn, withSession } from '../support/people.ts'
import type { Reply, TestApp } from '../support/test-app.ts'

export const requestPath = '/auth/email-change/request'
export const verifyPath = '/auth/email-change/verify'
export const cancelPath = '/auth/email-change/cancel'

/** The secrets in a change's three links. */
export interface StartedChange {
  newEmail: string
  current: string
  cancel: string
  fresh: string
}

/** The texts of emails to an address that contain these words, oldest first. */
export const mailsWith = (app: TestApp, address: string, words: string): string[] =>
  (app.inbox?.list({ to: address }) ?? []).map(({ text }) => text).filter((text) => text.includes(words))

/** Waits for the email that follows `earlier` matching emails. */
export async function mailWith(app: TestApp, address: string, words: string, earlier = 0): Promise<string> {
  for (const end = performance.now() + 10_000; ; await sleep(20)) {
    const mail = mailsWith(app, address, words)[earlier]
    if (mail) return mail
    if (performance.now() > end) throw new Error(`no mail with "${words}" to ${address} arrived`)
  }
}

export const tokenAfter = (text: string, path: string): string => text.split(`${path}?token=`)[1]?.slice(0, 43) ?? ''

export const askFor = (app: TestApp, user: SignedIn, newEmail: string): Promise<Reply> =>
  app.post(requestPath, { new_email: newEmail }, withSession(user.sessionToken))

/** Starts a change to an address that no user has, and returns the secrets that both inboxes received. */
export async function startedChange(app: TestApp, user: SignedIn, newEmail = person().email): Promise<StartedChange> {
  const earlier = [mailsWith(app, user.email, cancelPath).length, mailsWith(app, newEmail, verifyPath).length]
  const reply = await askFor(app, user, newEmail)
  if (reply.status !== 200) throw new Error(`the change did not start: ${reply.text}`)
  const present = await mailWith(app, user.email, cancelPath, earlier[0])
  const fresh = await mailWith(app, newEmail, verifyPath, earlier[1])
  return {
    newEmail,
    current: tokenAfter(present, verifyPath),
    cancel: tokenAfter(present, cancelPath),
    fresh: tokenAfter(fresh, verifyPath),
  }
}

export const confirm = (app: TestApp, token: string): Promise<Reply> => app.post(verifyPath, { token })

export const statusOf = async (app: TestApp, sessionToken: string) =>
  (await app.get('/auth/email-change', withSession(sessionToken))).json.email_change

export const emailOf = async (app: TestApp, sessionToken: string): Promise<string> =>
  (await app.get('/auth/me', withSession(sessionToken))).json.user.email
