import { COST_PART_BYTES } from '../contract/cost-words.ts'
import type { CostImportId } from '@trainyard/platform/contract/words/ids.ts'
import type { HandlersOf } from '@trainyard/platform/server/core/handler.ts'
import { adopt, release } from './adopt.ts'
import { beginImport, importsOf, removeImport, storePart } from './files.ts'
import { monthOfCosts } from './month.ts'
import { requestDeletion } from '@trainyard/machines/server/orphan.ts'
import { orphansOf, unclaimedOf } from './unclaimed.ts'

export const costHandlers: HandlersOf<'cost'> = {
  imports: async (db) => ({ imports: await importsOf(db) }),

  async begin(tx, { actor, body }) {
    const _id = await beginImport(tx, actor, body)
    return { _id, partBytes: COST_PART_BYTES, message: 'Upload the parts of its files.' }
  },

  async send(tx, { body }) {
    const missing = await storePart(tx, body)
    return {
      missing,
      message: missing === 0 ? 'All parts received. The import starts.' : `${missing} parts are missing.`,
    }
  },

  async remove(tx, { body }) {
    await removeImport(tx, body._id as CostImportId)
    return { message: 'Import deleted. Its costs are no longer included.' }
  },

  month: (db, { query }) => monthOfCosts(db, query.month),
  unclaimed: (db, { query }) => unclaimedOf(db, query.month),
  orphans: (db) => orphansOf(db),

  adopt: async (tx, { actor, body }) => ({ message: await adopt(tx, actor, body) }),

  async release(tx, { body }) {
    await release(tx, body)
    return { message: 'The cost is no longer assigned.' }
  },

  async deleteOrphan(tx, { actor, body }) {
    await requestDeletion(tx, actor, { ...body, group: body.resourceGroup })
    return { message: `${body.name} is being deleted at the provider.` }
  },
}
