import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from './database.ts'

describe('a test database', () => {
  let mine: TestDatabase
  let other: TestDatabase
  beforeAll(async () => {
    ;[mine, other] = await Promise.all([
      createTestDatabase(inject('testCluster')),
      createTestDatabase(inject('testCluster')),
    ])
  })
  afterAll(async () => {
    await Promise.all([mine.drop(), other.drop()])
  })

  const send = async (url: string, query: string) => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      return (await client.query(query)).rows
    } finally {
      await client.end()
    }
  }

  test('is migrated and separate from other databases', async () => {
    await send(mine.url, `insert into organisation (name) values ('Acme Learning')`)
    expect(await send(mine.url, 'select name from organisation')).toEqual([{ name: 'Acme Learning' }])
    expect(await send(other.url, 'select name from organisation')).toEqual([])
  })

  test('belongs to a role that is not a superuser', async () => {
    expect(await send(mine.url, 'select usesuper from pg_user where usename = current_user')).toEqual([
      { usesuper: false },
    ])
  })

  test('is dropped even while a client is connected', async () => {
    const short = await createTestDatabase(inject('testCluster'))
    const client = new pg.Client({ connectionString: short.url })
    client.on('error', () => undefined)
    await client.connect()
    await short.drop()
    await expect(send(short.url, 'select 1')).rejects.toThrow(/does not exist/)
    await client.end().catch(() => undefined)
  })
})
