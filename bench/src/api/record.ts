import { appendFileSync } from 'node:fs'
import pg from 'pg'

/** Preloaded into an API process. Appends each database query to the file named by QUERIES, one query per line. */
const file = process.env['QUERIES']!
type Ask = (this: pg.Client, query: unknown, values?: unknown, done?: unknown) => unknown
const client = pg.Client.prototype as unknown as { query: Ask }
const ask = client.query
client.query = function (query, values, done) {
  const asked = typeof query === 'string' ? { text: query, values: values ?? [] } : (query as { text?: string })
  if (typeof asked.text === 'string') {
    const { text, values: given = [] } = asked as { text: string; values?: unknown[] }
    appendFileSync(file, `${JSON.stringify({ text, values: given.map(plain) })}\n`)
  }
  return ask.call(this, query, values, done)
}

const plain = (value: unknown) => (Buffer.isBuffer(value) ? { hex: value.toString('hex') } : value)
