import { type RawBuilder, sql } from 'kysely'
import { sqlHook } from '@trainyard/platform/server/core/events.ts'

type Sql = RawBuilder<unknown>

/** SQL: the ID of an image and the provider whose ID it is. Only the provider's module knows what the ID means. */
interface Image {
  readonly provider: Sql
  readonly id: Sql
}

/** SQL: the image of a row of `template` or `machine`. */
export const imageOf = (alias: 't' | 'm' | 'machine'): Image => ({
  provider: sql.ref(`${alias}.provider`),
  id: sql.ref(`${alias}.image_id`),
})

/** SQL: the system that the image's ID names, for the screen; null: the ID names none. */
export const systemOfImage = sqlHook<Image, string | null>('templates.systemOfImage', (answers) =>
  answers.length === 0 ? sql`null::text` : sql`coalesce(${sql.join(answers)})`,
)

/**
 * SQL: true if a machine starts with the password of another machine, because its image is a copy of that machine. In
 * this case a new password must be set.
 */
export const hasImagePassword = sqlHook<Image, boolean>('templates.hasImagePassword', (answers) =>
  answers.length === 0 ? sql`false` : sql`(${sql.join(answers, sql` or `)})`,
)

/** SQL: text that all IDs of the same image share; null from modules of other providers, whose images have one ID. */
export const sharedImageId = sqlHook<Image, string | null>('templates.sharedImageId', (answers) =>
  answers.length === 0 ? sql`null::text` : sql`coalesce(${sql.join(answers)})`,
)
