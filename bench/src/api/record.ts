import { appendFileSync } from 'node:fs'
import pg from 'pg'

/** Preloaded into an API process. Appends each database query to the file named by QUERIES, one query per line. */
const file = process.env['QUERIES']!
type Query = (this: pg.Client, query: unknown, values?: unknown, done?: unknown) => unknown
const client = pg.Client.prototype as unknown as { query: Query }
const originalQuery = client.query
client.query = function (query, values, done) {
  const config = typeof query === 'string' ? { text: query, values: values ?? [] } : (query as { text?: string })
  if (typeof config.text === 'string') {
    const { text, values: parameters = [] } = config as { text: string; values?: unknown[] }
    appendFileSync(file, `${JSON.stringify({ text, values: parameters.map(toJson) })}\n`)
  }
  return originalQuery.call(this, query, values, done)
}

const toJson = (value: unknown) => (Buffer.isBuffer(value) ? { hex: value.toString('hex') } : value)
