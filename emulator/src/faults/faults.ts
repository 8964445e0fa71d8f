import type { Book } from '#src/record/book.ts'
import { faultShape, type Fault, type FaultRequest } from '#src/faults/fault.ts'

interface Row {
  id: number
  request: string
  matched: number
  happened: number
}

/** The failures asked for and not taken back; they outlive a restart. */
export class Faults {
  readonly #book: Book
  #existing: Fault[]

  constructor(book: Book) {
    this.#book = book
    book.prepare(
      'CREATE TABLE IF NOT EXISTS fault (id INTEGER PRIMARY KEY, request TEXT NOT NULL, matched INTEGER NOT NULL DEFAULT 0, happened INTEGER NOT NULL DEFAULT 0)',
    )
    this.#existing = book.all<Row>('SELECT * FROM fault ORDER BY id').map(read)
  }

  list(): readonly Fault[] {
    return this.#existing
  }

  add(request: FaultRequest): Fault {
    this.#book.run('INSERT INTO fault (request) VALUES (?)', JSON.stringify(request))
    const row = this.#book.one<Row>('SELECT * FROM fault ORDER BY id DESC LIMIT 1')
    if (row === undefined) throw new Error('The fault was not recorded.')
    const fault = read(row)
    this.#existing = [...this.#existing, fault]
    return fault
  }

  clear(): void {
    this.#book.run('DELETE FROM fault')
    this.#existing = []
  }

  remove(id: number): boolean {
    this.#existing = this.#existing.filter((fault) => fault.id !== id)
    return this.#book.run('DELETE FROM fault WHERE id = ?', id) > 0
  }

  /** The fault that happens to this call, if any; counts the call for every fault that it matches. */
  strike(operation: string, name: string): Fault | undefined {
    let struck: Fault | undefined
    this.#existing = this.#existing.map((fault) => {
      if (!matches(fault.operation, operation) || !matches(fault.name, name)) return fault
      const matched = fault.matched + 1
      const due = fault.every === undefined || matched % fault.every === 0
      const left = fault.times === undefined || fault.happened < fault.times
      const happens = struck === undefined && due && left
      const counted = { ...fault, matched, happened: fault.happened + (happens ? 1 : 0) }
      if (happens) struck = counted
      this.#book.run(
        'UPDATE fault SET matched = ?, happened = ? WHERE id = ?',
        counted.matched,
        counted.happened,
        fault.id,
      )
      return counted
    })
    return struck
  }
}

function read(row: Row): Fault {
  return { ...faultShape.parse(JSON.parse(row.request)), id: row.id, matched: row.matched, happened: row.happened }
}

function matches(pattern: string, value: string): boolean {
  if (pattern === '*') return true
  const expression = pattern
    .split('*')
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
    .join('.*')
  return new RegExp(`^${expression}$`, 'i').test(value)
}
