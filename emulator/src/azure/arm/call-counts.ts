import type { Book } from '#src/record/book.ts'

/** How often each operation was called. Written down with the next change, so that reading costs no write. */
export class CallCounts {
  readonly #book: Book
  readonly #unwritten = new Map<string, number>()

  constructor(book: Book) {
    this.#book = book
    book.prepare('CREATE TABLE IF NOT EXISTS call (operation TEXT PRIMARY KEY, count INTEGER NOT NULL) WITHOUT ROWID')
  }

  count(operation: string): void {
    this.#unwritten.set(operation, (this.#unwritten.get(operation) ?? 0) + 1)
  }

  write(): void {
    for (const [operation, count] of this.#unwritten) {
      this.#book.run(
        'INSERT INTO call (operation, count) VALUES (?, ?) ON CONFLICT (operation) DO UPDATE SET count = count + excluded.count',
        operation,
        count,
      )
    }
    this.#unwritten.clear()
  }

  all(): Record<string, number> {
    this.write()
    const rows = this.#book.all<{ operation: string; count: number }>('SELECT * FROM call ORDER BY operation')
    return Object.fromEntries(rows.map(({ operation, count }) => [operation, count]))
  }
}
