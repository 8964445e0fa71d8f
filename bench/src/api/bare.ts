import { readFileSync } from 'node:fs'
import fastify from 'fastify'
import pg from 'pg'
import { compressReplies } from '@trainyard/server/src/http/compression.ts'

/** A minimal fastify and pg server that runs the portal's recorded queries and sends its recorded replies, compressed. */
interface RecordedCall {
  readonly queries: readonly { readonly text: string; readonly values: readonly unknown[] }[]
  readonly reply: unknown
}
const [database, port, file] = process.argv.slice(2)
const calls = JSON.parse(readFileSync(file!, 'utf8')) as RecordedCall[]
const pool = new pg.Pool({ connectionString: database!, max: 16, options: '-c jit=off' })
const server = fastify()
await compressReplies(server)
const decodeValue = (value: unknown) =>
  typeof value === 'object' && value !== null && 'hex' in value ? Buffer.from(String(value.hex), 'hex') : value
for (const [index, { queries, reply }] of calls.entries()) {
  const statements = queries.map(({ text, values }) => ({ text, values: values.map(decodeValue) }))
  server.get(`/${index}`, async () => {
    for (const { text, values } of statements) await pool.query(text, values)
    return reply
  })
}
await server.listen({ host: '127.0.0.1', port: Number(port) })
