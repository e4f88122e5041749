import type { Adapter, AdapterPayload } from 'oidc-provider'
import pg from 'pg'

let pool: pg.Pool

/** As many connections as the service uses by default. */
export async function connectAdapter(connectionString: string): Promise<void> {
  pool = new pg.Pool({ connectionString, max: 10 })
  await pool.query(`CREATE TABLE IF NOT EXISTS oidc_payloads (
    name text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, payload jsonb NOT NULL, expires_at timestamptz,
    consumed_at timestamptz, PRIMARY KEY (name, id))`)
}

interface Row {
  payload: AdapterPayload
  is_consumed: boolean
}

/** One row per artefact and one prepared statement per call, as applications write such an adapter. */
export class PostgresAdapter implements Adapter {
  readonly #name: string

  constructor(name: string) {
    this.#name = name
  }

  async upsert(id: string, payload: AdapterPayload, expiresIn?: number): Promise<void> {
    await pool.query({
      name: 'upsert',
      text: `INSERT INTO oidc_payloads (name, id, payload, expires_at) VALUES ($1, $2, $3, now() + make_interval(secs => $4))
        ON CONFLICT (name, id) DO UPDATE SET payload = excluded.payload, expires_at = excluded.expires_at`,
      values: [this.#name, id, payload, expiresIn ?? null],
    })
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const { rows } = await pool.query<Row>({
      name: 'find',
      text: `SELECT payload, consumed_at IS NOT NULL AS is_consumed FROM oidc_payloads
        WHERE name = $1 AND id = $2 AND (expires_at IS NULL OR expires_at > now())`,
      values: [this.#name, id],
    })
    const [row] = rows
    return row && (row.is_consumed ? { ...row.payload, consumed: true } : row.payload)
  }

  async findByUid(): Promise<undefined> {}

  async findByUserCode(): Promise<undefined> {}

  async consume(id: string): Promise<void> {
    await this.#run('consume', 'UPDATE oidc_payloads SET consumed_at = now() WHERE name = $1 AND id = $2', id)
  }

  async destroy(id: string): Promise<void> {
    await this.#run('destroy', 'DELETE FROM oidc_payloads WHERE name = $1 AND id = $2', id)
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    const text = `DELETE FROM oidc_payloads WHERE name = $1 AND payload->>'grantId' = $2`
    await this.#run('revoke', text, grantId)
  }

  async #run(name: string, text: string, id: string): Promise<void> {
    await pool.query({ name, text, values: [this.#name, id] })
  }
}
