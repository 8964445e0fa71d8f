import type { HandlersOf } from '@trainyard/platform/server/core/handler.ts'
import { find } from './find.ts'

export const searchHandlers: HandlersOf<'search'> = {
  find: (db, { actor, query }) => find(db, actor, query.text),
}
