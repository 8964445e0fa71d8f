import type { Kysely } from 'kysely'

/** Returns the database as an object that counts its queries, those of its transactions included. */
export function countQueries<Schema>(db: Kysely<Schema>): { readonly db: Kysely<Schema>; count(): number } {
  let count = 0
  return {
    db: db.withPlugin({
      transformQuery({ node }) {
        count += 1
        return node
      },
      async transformResult({ result }) {
        return result
      },
    }),
    count: () => count,
  }
}
