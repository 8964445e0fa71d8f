import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'

/** Committed data survives a kill at any moment, and with `full` also a power failure. */
export class Database {
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()
  #open = false

  constructor(path: string, durability: 'normal' | 'full') {
    this.#database = new DatabaseSync(path)
    this.#database.exec(
      `PRAGMA journal_mode = WAL; PRAGMA synchronous = ${durability}; PRAGMA busy_timeout = 2000; PRAGMA cache_size = -65536; PRAGMA wal_autocheckpoint = 8000`,
    )
  }

  /** Runs statements that create tables and indexes. They must be idempotent because they run at every start. */
  applySchema(schema: string): void {
    this.#database.exec(schema)
  }

  all<Row>(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#statement(sql).all(...values) as Row[]
  }

  one<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#statement(sql).get(...values) as Row | undefined
  }

  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#statement(sql).run(...values).changes)
  }

  transaction<T>(callback: () => T): T {
    if (this.#open) return callback()
    this.#database.exec('BEGIN IMMEDIATE')
    this.#open = true
    try {
      const result = callback()
      this.#database.exec('COMMIT')
      return result
    } catch (error) {
      this.#database.exec('ROLLBACK')
      throw error
    } finally {
      this.#open = false
    }
  }

  close(): void {
    this.#statements.clear()
    this.#database.close()
  }

  #statement(sql: string): StatementSync {
    const cached = this.#statements.get(sql)
    if (cached !== undefined) return cached
    const prepared = this.#database.prepare(sql)
    this.#statements.set(sql, prepared)
    return prepared
  }
}
