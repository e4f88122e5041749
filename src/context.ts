import type { RawBuilder, Selectable } from 'kysely'
import type { Bus } from './adapters/bus/port.ts'
import type { Cache } from './adapters/cache/port.ts'
import type { GuardedFetch } from './adapters/fetch/port.ts'
import type { FileStore } from './adapters/files/port.ts'
import type { Mailer } from './adapters/mail/port.ts'
import type { Metrics } from './adapters/metrics/port.ts'
import type { RateLimitStore } from './adapters/rate-limit/port.ts'
import type { SmsSender } from './adapters/sms/port.ts'
import type { Config } from './config/load.ts'
import type { PostTypeColumns } from './db/rows/post-types.ts'
import type { Proof } from './db/rows/sessions.ts'
import type { Db, Tables } from './db/tables.ts'
import type { Change } from './db/transact.ts'
import type { FieldProblem } from './lib/errors.ts'
import type { Logger } from './lib/log.ts'
import type { SealKey } from './lib/seal.ts'
import type { Clock } from './lib/time.ts'

export type { Proof }

/** What a use case may touch. Types only: `app.ts` builds the real one, the tests another. */
export interface Context {
  config: Config
  log: Logger
  clock: Clock
  metrics: Metrics
  db: Db
  sessions: SessionCopies
  bus: Bus
  /** Copies that all nodes share; undefined without Redis. */
  sharedCache: Cache | undefined
  rateLimits: RateLimitStore
  mailer: Mailer
  sms: SmsSender
  files: FileStore
  fetch: GuardedFetch
  passwords: PasswordHasher
  modules: ModuleState
  /** Of every feature, and of the modules that are installed at the moment. */
  personalData(): readonly PersonalData[]
  secondFactor: SecondFactor
  postTypes: PostTypes
  outbox: OutboxSignal
  /** Encrypt small secrets at rest. */
  dataKeys: readonly SealKey[]
  /** A random name of this process, for audit events and messages between nodes. */
  node: string
}

/** The user record as the service reads it: core columns and those of installed modules, never the password hash. */
export type UserRow = Omit<
  Selectable<Tables['users']>,
  'password_hash' | 'deleted_at' | 'search_text' | 'two_factor_changed_at'
> &
  Record<string, unknown>

export type SessionRow = Omit<Selectable<Tables['sessions']>, 'wrong_codes'>

/** A session and its user as one query read them. Carries no secret. */
export interface SessionView {
  session: Omit<SessionRow, 'token_hash' | 'device_id' | 'ended_at' | 'end_reason'>
  user: UserRow
  /** `users.session_epoch` at the time of reading. */
  epoch: number
}

/** A view as it came from the database, for copies of it. */
export interface ReadView extends SessionView {
  /** Which columns of which state of both rows were read: another text after any write. */
  version: string
  /** Clock time of the read. */
  read_at: number
}

export type SessionSource = 'memory' | 'redis' | 'database'

/** A session as it was read, with what each answer from it would work out anew. */
export interface SessionCopy {
  readonly view: ReadView
  readonly tokenHash: string
  /** End of its lifetime as a copy, or of the session: whichever comes first. Moved when the copy is confirmed. */
  servableUntil: number
  /** From then on it is to be confirmed, if it is used at all. */
  confirmFrom: number
  /** From then on a use is worth writing down. */
  noteFrom: number
  /** The bridge's answer about it as text, made by the first one. */
  bridgeAnswer: string | undefined
}

/** The copies of sessions, in this process and in the shared cache. PostgreSQL stays the truth. */
export interface SessionCopies {
  /** A copy young enough to be served, from this process alone: no I/O, no promise. */
  recall(tokenHash: string): SessionCopy | undefined
  /** Shared cache, then database. Undefined when no such session exists. */
  load(tokenHash: string): Promise<FoundCopy | undefined>
  /** The row itself. */
  loadFresh(tokenHash: string): Promise<FoundCopy | undefined>
  /** Outdates every copy of the user, here at once and on the other nodes soon. Call it after the commit. */
  invalidate(userId: string, epoch: number): Promise<void>
  /** Remembers that a session was used; written in batches. */
  noteUse(copy: SessionCopy, now: number): void
}

export interface FoundCopy {
  copy: SessionCopy
  source: SessionSource
}

/** What is installed. Columns of modules appear in user objects as soon as they exist. */
export interface ModuleState {
  /** Whether every table and column of a component exists; the component is `core` when none is named. */
  isInstalled(moduleId: string, component?: string): boolean
  /** Whether the core of a module was installed and has since lost tables or columns: not there, and not by anybody's wish. */
  isDamaged(moduleId: string): boolean
  /** Whether the settings want it. */
  isEnabled(moduleId: string): boolean
  /** Why a route that belongs to it does not answer; undefined when it does. */
  refusalOf(gate: ModuleGate): 'module_not_installed' | 'MODULE_DISABLED' | undefined
  /** Readable columns of `users` that modules have added; never write-only ones. Grouped: a group is whole or absent. */
  userColumns(): readonly ModuleColumn[]
  /** Something that should be there is not: looks again, soon. */
  suspect(): void
}

/** What a route belongs to. */
export interface ModuleGate {
  id: string
  component: string
}

export interface ModuleColumn {
  name: string
  /** What an unset column shows. */
  unset: unknown
  /** How the description of the API puts it. */
  schema: object
  /** Whether the user search of administrators may ask for its value. */
  filterable?: boolean
}

/** What one feature or module keeps about users. All of them together make the export of a user. */
export interface PersonalData {
  /** The tables it answers for: all that refer to users or have a user_id must be claimed by somebody. */
  tables: readonly string[]
  /** Members of the user's export, without secrets and hashes. Absent where there is nothing that a person could read. */
  collect?(ctx: Context, db: Db, user: UserRow): Promise<Record<string, unknown>>
  /** Ends what must neither go on nor come back when the user is deleted, which can be undone. */
  leave?(ctx: Context, change: Change, userId: string): Promise<void>
  /** What no foreign key does when users are erased, which cannot. */
  erase?(db: Db, userIds: readonly string[]): Promise<void>
}

export interface SecondFactorMethod {
  id: string
  method: string
  status: 'active'
  identifier: string | null
}

/** Where a request comes from, as data for use cases. */
export interface Device {
  address: string
  userAgent: string
  /** In words: "Chrome on macOS". */
  device: string
  acceptLanguage: string | undefined
  method: string
  requestId: string
}

/** A partial session that has just been made, and what it waits for. */
export interface Beginning {
  user: UserRow
  sessionId: string
  /** When it ends, in milliseconds. */
  endsAt: number
  methods: SecondFactorMethod[]
  device: Device
}

/** What somebody shows of a second factor: a code, or the answer of an authenticator. */
export interface FactorProof {
  method_id?: string | undefined
  code?: string | undefined
  response?: Record<string, unknown> | undefined
}

export interface SecondFactor {
  /**
   * The active methods one of which must confirm this sign-in, the default one first; undefined when none is required.
   * Reads only: none at all is left to `begin`.
   */
  requiredMethods(db: Db, user: UserRow, proof: Proof): Promise<SecondFactorMethod[] | undefined>
  /**
   * Whether this user has confirmed a sign-in in the browser that shows this value, so that it is not asked again.
   * Asked only when something is required.
   */
  isConfirmed(db: Db, user: UserRow & { password_hash: string | null }, shown: string): Promise<boolean>
  /** Whether routes that ask for this role also ask for a session that a second factor has confirmed. */
  isDemandedOf(userType: string): boolean
  /**
   * In the transaction that makes the partial session: sends the code of the default method, when it has one to send.
   * Whoever must confirm and has no method gets one.
   */
  begin(
    change: Change,
    beginning: Beginning,
  ): Promise<{ methods: SecondFactorMethod[]; sent: boolean; expiresIn: number }>
  /** Renews the recent proof of a full session. Throws INVALID_CODE. */
  reauthenticate(view: SessionView, proof: FactorProof, device: Device): Promise<void>
  /** Whether passkeys let people in here. */
  takesPasskeys(): boolean
  /** Whether one of the user's methods also lets them in by itself. */
  signsIn(db: Db, userId: string): Promise<boolean>
  /** The account has another address, which is proven: codes that went to the former one go there from now on. */
  followAddress(db: Db, move: { userId: string; from: string; to: string; at: Date }): Promise<void>
  /** Forgets every method of a user, in the caller's transaction: whoever set them up had not proven who they are. */
  removeAll(db: Db, userId: string): Promise<void>
  /** All sessions of a user end, or all others: browsers that were remembered are asked again, too. */
  forgetBrowsers(db: Db, userId: string, at: Date): Promise<void>
}

/** What posts have of the module post-types: nothing without it, the members of installed components with it. */
export type TypedPost = Partial<PostTypeColumns>

/**
 * What the module post-types tells the blog. Without the module there is one type, `post`, which allows everything:
 * whoever asks this port needs no question whether the module is there.
 */
export interface PostTypes {
  /** What it adds to the table `posts`, as far as that exists: whoever reads posts reads these too. */
  columns(): readonly (keyof PostTypeColumns)[]
  /**
   * The types for readers, from this process alone: no I/O, no promise. Undefined: `load` them. The same object comes
   * back until a definition or what is installed changes, so whatever was made by it is good while it does.
   */
  recall(): PostTypeRules | undefined
  /** The types for readers, from memory, the shared cache or the database. */
  load(): Promise<PostTypeRules>
  /** The types for writers: as they are, never from a copy that nobody has confirmed. */
  loadFresh(db: Db): Promise<PostTypeRules>
}

/** All types as they were at one moment. */
export interface PostTypeRules {
  /** Also inactive ones, and others than `post` while the module is off. */
  find(key: string): PostType | undefined
  /** Of a post as it is stored. */
  typeOf(post: TypedPost): PostType
  /** Whether its type hides a post from somebody who might read it otherwise. Nobody: undefined. */
  hides(post: TypedPost & { user_id: string | null }, reader: { id: string; user_type: string } | undefined): boolean
  /** The opposite, as a condition in SQL on the posts of this table or alias. */
  readable(alias: string, reader: { id: string; user_type: string } | undefined): RawBuilder<boolean>
  /** The types behind `readable`: those that somebody reads, and those of which only their own posts; undefined: all. */
  readableKeys(reader: { id: string; user_type: string } | undefined): ReadableKeys | undefined
  /** What programs may collect and offer to everyone, in sitemaps and feeds: readable for nobody in particular, and not `noindex`. */
  collectable(alias: string): RawBuilder<boolean>
  /** The members `post_type`, `fields` and `seo` of a post, those that there are. */
  shown(post: TypedPost): ShownType
}

export interface ReadableKeys {
  open: readonly string[]
  own: readonly string[]
}

export interface ShownType {
  post_type?: string
  fields?: Record<string, unknown>
  seo?: Omit<PostTypeColumns, 'post_type' | 'custom_fields'>
}

/** What posts of one type may have, and may not. */
export interface PostType {
  readonly key: string
  /** Of public addresses, without slashes; empty for none. */
  readonly slugPrefix: string
  /** False: nothing is created or published in it. Also of others than `post` while the module is off. */
  readonly isActive: boolean
  /** False: a writer may not name it at all. */
  readonly isOffered: boolean
  readonly features: Readonly<Record<PostFeature, boolean>>
  /** Of posts that name none. */
  readonly defaultVisibility: Tables['posts']['visibility']
  /** The allowed ones; the first is for posts that name none. */
  readonly bodyFormats: [Tables['posts']['body_format'], ...Tables['posts']['body_format'][]]
  readonly allowsPassword: boolean
  /** Whoever is no administrator gets `pending` where they asked for publishing. */
  readonly requiresApproval: boolean
  /** 0: as many as they like. */
  readonly maxPerAuthor: number
  mayCreate(userType: string): boolean
  /** `fields` of a request as they will be stored; null clears one. Throws VALIDATION_ERROR with all that is wrong. */
  readFields(given: Record<string, unknown>): Record<string, unknown>
  /** Sanitises the HTML among what `readFields` gave. */
  cleanFields(
    fields: Record<string, unknown>,
    clean: (html: string, field: string) => Promise<string>,
  ): Promise<Record<string, unknown>>
  /** `seo` of a request as it will be stored. Throws VALIDATION_ERROR. */
  readSeo(given: Record<string, unknown>): TypedPost
  /** The columns of a post of this type once it has taken in what was read. */
  columnsOf(
    before: TypedPost,
    read: { fields?: Record<string, unknown> | undefined; seo?: TypedPost | undefined },
  ): TypedPost
  /** What a post that waits, or is out, must have and has not. */
  missingFields(post: TypedPost): FieldProblem[]
  /** Stored fields as they are shown: also those of a revision. */
  shownFields(stored: Record<string, unknown>): Record<string, unknown>
}

export type PostFeature = 'comments' | 'reactions' | 'bookmarks' | 'views' | 'scheduling' | 'seo'

export interface PasswordHasher {
  /** Throws UNAVAILABLE when too many hashes wait: asked first, so that what will be refused looks nothing up. */
  assertRoom(): void
  hash(password: string): Promise<string>
  /** Whether the password fits. Without a stored hash the same work is done for nothing, and the answer is false. */
  verify(stored: string | null | undefined, password: string): Promise<boolean>
  /** Whether the stored hash was made with weaker parameters or an older pepper. */
  isOutdated(stored: string): boolean
}

export interface OutboxSignal {
  /** A message was committed: it need not wait for the next round. */
  wake(): void
}
