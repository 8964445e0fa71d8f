import type { Database } from './database.ts'

/** Number of calls per operation. New counts stay in memory until a call that changes something stores them. */
export class CallCounts {
  readonly #database: Database
  readonly #unwritten = new Map<string, number>()

  constructor(database: Database) {
    this.#database = database
    database.applySchema(
      'CREATE TABLE IF NOT EXISTS call (operation TEXT PRIMARY KEY, count INTEGER NOT NULL) WITHOUT ROWID',
    )
  }

  count(operation: string): void {
    this.#unwritten.set(operation, (this.#unwritten.get(operation) ?? 0) + 1)
  }

  write(): void {
    for (const [operation, count] of this.#unwritten) {
      this.#database.run(
        'INSERT INTO call (operation, count) VALUES (?, ?) ON CONFLICT (operation) DO UPDATE SET count = count + excluded.count',
        operation,
        count,
      )
    }
    this.#unwritten.clear()
  }

  all(): Record<string, number> {
    this.write()
    const rows = this.#database.all<{ operation: string; count: number }>('SELECT * FROM call ORDER BY operation')
    return Object.fromEntries(rows.map(({ operation, count }) => [operation, count]))
  }
}
