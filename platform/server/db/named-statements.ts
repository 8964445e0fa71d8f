import { createHash } from 'node:crypto'
import type pg from 'pg'

/** Number of executions before a statement gets a name. Rare statements stay unnamed and use no memory. */
const USES_BEFORE_NAME = 3
/**
 * Maximum number of named statements of a process. Each named statement costs PostgreSQL about 50 kB per connection.
 */
const NAMES_MAX = 300
/** Number of statement texts whose executions are counted. */
const TEXTS_MAX = 2_000

/**
 * Matches statements that select `*`. A migration may change the columns of such a statement, but the columns of a
 * named statement must not change.
 */
const SELECTS_ALL = /(?:select|returning|distinct|\)|,)\s+(?:"?\w+"?\.)?\*/i
const IS_NAMEABLE = /^\s*(?:select|with|insert|update|delete)\b/i

/** PostgreSQL's error code when the columns of a named statement have changed. */
const FEATURE_NOT_SUPPORTED = '0A000'

/**
 * Names of the statements that a process executes often. PostgreSQL parses and plans a named statement once per
 * connection, and planning is the largest part of most of our queries.
 */
export class StatementNames {
  readonly #uses = new Map<string, number>()
  readonly #names = new Map<string, string>()
  #generation = 0

  /** Returns the name of a statement, or undefined if it must run without one. */
  nameOf(text: string): string | undefined {
    const existingName = this.#names.get(text)
    if (existingName !== undefined) return existingName
    if (this.#names.size >= NAMES_MAX) return undefined
    const uses = (this.#uses.get(text) ?? 0) + 1
    if (uses < USES_BEFORE_NAME || !IS_NAMEABLE.test(text) || SELECTS_ALL.test(text)) {
      if (this.#uses.size >= TEXTS_MAX) this.#uses.clear()
      this.#uses.set(text, uses)
      return undefined
    }
    this.#uses.delete(text)
    const hash = createHash('sha256').update(text).digest('base64url').slice(0, 22)
    const name = `${this.#generation}-${hash}`
    this.#names.set(text, name)
    return name
  }

  /** Replaces all names after a migration changed the columns of a statement. */
  renew(): void {
    this.#generation += 1
    this.#names.clear()
  }
}

type Query = (...args: unknown[]) => unknown

/** Makes a client execute frequent statements by name. */
export function nameStatements(client: pg.ClientBase, names: StatementNames): void {
  const query = client.query.bind(client) as Query
  client.query = ((text: unknown, values: unknown, ...more: unknown[]) => {
    const name = typeof text === 'string' && Array.isArray(values) ? names.nameOf(text) : undefined
    if (name === undefined) return query(text, values, ...more)
    const result = query({ name, text, values }, undefined, ...more)
    if (!(result instanceof Promise)) return result
    return result.catch((error: Error & { code?: string }) => {
      if (error.code === FEATURE_NOT_SUPPORTED && error.message.includes('cached plan')) names.renew()
      throw error
    })
  }) as typeof client.query
}
