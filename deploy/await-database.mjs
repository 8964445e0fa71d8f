// Waits until the app can log in to the database, for a cluster that an operator is creating.
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

for (;;) {
  const client = new pg.Client({ connectionString: process.env.DATABASE_APP_URL, connectionTimeoutMillis: 5_000 })
  try {
    await client.connect()
    await client.end()
    break
  } catch (error) {
    console.error(`The database does not answer yet (${error.message}).`)
    await pause(1_000)
  }
}
