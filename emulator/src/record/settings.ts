import type { Book } from '#src/record/book.ts'

/** Single values that outlive the process: the clock's mode, counters, quotas. */
export class Settings {
  readonly #book: Book

  constructor(book: Book) {
    this.#book = book
    book.prepare('CREATE TABLE IF NOT EXISTS setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID')
  }

  read(name: string): string | undefined {
    return this.#book.one<{ value: string }>('SELECT value FROM setting WHERE name = ?', name)?.value
  }

  write(name: string, value: string): void {
    this.#book.run(
      'INSERT INTO setting (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
      name,
      value,
    )
  }

  /** The next whole number of a count that never gives the same number twice; the first is 1. */
  next(name: string): number {
    const value = Number(this.read(name) ?? '0') + 1
    this.write(name, String(value))
    return value
  }
}
