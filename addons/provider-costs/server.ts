import { serverModule } from '@trainyard/platform/server/core/module.ts'
import { withoutOwner } from '@trainyard/platform/server/core/tables.ts'
import { costHandlers } from './server/http.ts'
import { importWaiting } from './server/import.ts'
import { MINUTE } from '@trainyard/platform/server/run/reconcile/task.ts'

export default serverModule({
  name: 'provider-costs',
  calls: () => ({ cost: costHandlers }),
  tasks: ({ db }) => [
    {
      name: 'import provider costs',
      every: 5,
      on: 'one',
      limit: 15 * MINUTE,
      run: (signal) => importWaiting(db, signal),
    },
  ],
  tables: {
    sql: new URL('tables.sql', import.meta.url),
    personal: {
      cost_adoption: withoutOwner('provider of value', 'adopted_by'),
      cost_import: withoutOwner('state digest format', 'file_names made_by bad_lines summary refusal'),
      // Parts of a file while it is uploaded.
      cost_import_part: withoutOwner('', '', 'bytes'),
      cost_line: withoutOwner('provider account kind service currency', 'identity'),
      cost_resource: withoutOwner('provider kind tag', 'key name resource_group tag_value'),
    },
  },
})
