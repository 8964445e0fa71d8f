import type { Database } from '../record/database.ts'
import { faultShape, type Fault, type FaultRequest } from './fault.ts'

interface Row {
  id: number
  request: string
  matched: number
  happened: number
}

export class Faults {
  readonly #database: Database
  #existing: Fault[]

  constructor(database: Database) {
    this.#database = database
    database.applySchema(
      'CREATE TABLE IF NOT EXISTS fault (id INTEGER PRIMARY KEY, request TEXT NOT NULL, matched INTEGER NOT NULL DEFAULT 0, happened INTEGER NOT NULL DEFAULT 0)',
    )
    this.#existing = database.all<Row>('SELECT * FROM fault ORDER BY id').map(parseRow)
  }

  list(): readonly Fault[] {
    return this.#existing
  }

  add(request: FaultRequest): Fault {
    this.#database.run('INSERT INTO fault (request) VALUES (?)', JSON.stringify(request))
    const row = this.#database.one<Row>('SELECT * FROM fault ORDER BY id DESC LIMIT 1')
    if (row === undefined) throw new Error('The fault was not recorded.')
    const fault = parseRow(row)
    this.#existing = [...this.#existing, fault]
    return fault
  }

  clear(): void {
    this.#database.run('DELETE FROM fault')
    this.#existing = []
  }

  remove(id: number): boolean {
    this.#existing = this.#existing.filter((fault) => fault.id !== id)
    return this.#database.run('DELETE FROM fault WHERE id = ?', id) > 0
  }

  consume(operation: string, name: string): Fault | undefined {
    let affected: Fault | undefined
    this.#existing = this.#existing.map((fault) => {
      if (!matches(fault.operation, operation) || !matches(fault.name, name)) return fault
      const matched = fault.matched + 1
      const due = fault.every === undefined || matched % fault.every === 0
      const hasUsesLeft = fault.times === undefined || fault.happened < fault.times
      const happens = affected === undefined && due && hasUsesLeft
      const updated = { ...fault, matched, happened: fault.happened + (happens ? 1 : 0) }
      if (happens) affected = updated
      this.#database.run(
        'UPDATE fault SET matched = ?, happened = ? WHERE id = ?',
        updated.matched,
        updated.happened,
        fault.id,
      )
      return updated
    })
    return affected
  }
}

function parseRow(row: Row): Fault {
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
