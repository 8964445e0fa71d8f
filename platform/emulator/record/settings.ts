import type { Database } from './database.ts'

/** Single values that survive a restart, such as the clock's mode, counters and quotas. */
export class Settings {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
    database.applySchema(
      'CREATE TABLE IF NOT EXISTS setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID',
    )
  }

  read(name: string): string | undefined {
    return this.#database.one<{ value: string }>('SELECT value FROM setting WHERE name = ?', name)?.value
  }

  write(name: string, value: string): void {
    this.#database.run(
      'INSERT INTO setting (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
      name,
      value,
    )
  }

  next(name: string): number {
    const value = Number(this.read(name) ?? '0') + 1
    this.write(name, String(value))
    return value
  }
}
