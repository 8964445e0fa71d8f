import { sql } from 'kysely'
import { z } from 'zod'
import { paise, rupeesIn } from '@trainyard/platform/contract/words/money.ts'
import { writeAudit } from '@trainyard/platform/server/core/audit.ts'
import type { Command } from '@trainyard/platform/server/core/command.ts'
import { CommandError, ConfigError } from '@trainyard/platform/server/core/errors.ts'
import { lxdSize, placeIn, wordsOf } from './settings.ts'

const USAGE = 'npm run lxd -- NAME SIZE IMAGE RUPEES'

const input = z.tuple([
  z.string().trim().min(1).max(100),
  z.string(),
  z.string().min(1).max(200),
  z.string().transform(rupeesIn).pipe(z.number().min(0).max(100_000)),
])

/**
 * Creates a template of LXD, or changes it. The arguments are its name, size, image and rupees per hour. The form
 * Create VM Card has only Azure's fields.
 */
export const templateCommand: Command = ({ config: { lxd }, args, print, withDb }) => {
  if (lxd === null) throw new ConfigError('Set LXD_SOCKET or LXD_URL first.')
  const read = input.safeParse(args)
  if (!read.success) throw new CommandError(`Usage: ${USAGE}`)
  const [name, sizeName, image, rupees] = read.data
  const size = lxd.sizes.find((each) => each.name === sizeName)
  if (size === undefined)
    throw new CommandError(`LXD_SIZES has no size ${sizeName}, only ${lxd.sizes.map((each) => each.name).join(', ')}.`)
  const columns = {
    rate_paise: paise(Math.round(rupees * 100)),
    place: placeIn(lxd),
    size: lxdSize.parse(size),
    image: { id: image },
    ...wordsOf(size),
  }
  return withDb('app', async (db) => {
    await db.transaction().execute(async (tx) => {
      const existing = await tx
        .selectFrom('template')
        .select(['id', 'provider'])
        .where('name', '=', name)
        .forUpdate()
        .executeTakeFirst()
      if (existing !== undefined && existing.provider !== 'lxd')
        throw new CommandError(`${name} is a template of ${existing.provider}. Choose another name.`)
      if (existing === undefined) {
        const fixed = { provider: 'lxd', os: 'Linux', licence: 'none', disk: 'SSD' } as const
        await tx
          .insertInto('template')
          .values({ name, ...fixed, ...columns })
          .execute()
      } else {
        await tx
          .updateTable('template')
          .set({ ...columns, refusal: null, revision: sql<number>`revision + 1` })
          .where('id', '=', existing.id)
          .execute()
      }
      const call = existing === undefined ? 'template.create' : 'template.edit'
      await writeAudit(tx, {
        call,
        requestId: 'operator',
        actor: null,
        request: { name, rate: rupees, size, imageId: image },
      })
    })
    print(`The template ${name} was saved. Assign it to organisations in the System Admin Panel.`)
    return 0
  })
}
