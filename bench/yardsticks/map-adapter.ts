import type { Adapter, AdapterPayload } from 'oidc-provider'

const stored = new Map<string, AdapterPayload>()

/** Without the limit of 1,000 entries that oidc-provider's own adapter for development has. */
export class MapAdapter implements Adapter {
  readonly #name: string

  constructor(name: string) {
    this.#name = name
  }

  async upsert(id: string, payload: AdapterPayload): Promise<void> {
    stored.set(this.#key(id), payload)
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    return stored.get(this.#key(id))
  }

  async findByUid(): Promise<undefined> {}

  async findByUserCode(): Promise<undefined> {}

  async consume(id: string): Promise<void> {
    const payload = stored.get(this.#key(id))
    if (payload) payload.consumed = Math.floor(Date.now() / 1_000)
  }

  async destroy(id: string): Promise<void> {
    stored.delete(this.#key(id))
  }

  async revokeByGrantId(): Promise<void> {}

  #key(id: string): string {
    return `${this.#name}:${id}`
  }
}
