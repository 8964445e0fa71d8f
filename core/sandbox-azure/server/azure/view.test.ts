import { expect, test } from 'vitest'
import type { AzureUserRow, SandboxRow } from '@trainyard/lab-users/tables.gen.ts'
import { sandboxView, userView } from './view.ts'

const WHEN = new Date('2026-11-01T10:00:00Z')
const row = (columns: Partial<SandboxRow>) =>
  ({
    created_at: WHEN,
    delete_at: WHEN,
    attempts: 0,
    desired: 'ready',
    last_error: null,
    ready_at: WHEN,
    ...columns,
  }) as SandboxRow
const FROZEN = 'The credits are used up. Machines are stopped and access is read-only until the sandbox is deleted.'

test.each<[Partial<SandboxRow>, string, string | null]>([
  [{}, 'Ready', null],
  [{ ready_at: null }, 'Creating', null],
  // No attempt failed: the creation is only slow.
  [{ ready_at: null, last_error: 'Wait.' }, 'Creating', 'Wait.'],
  [{ ready_at: null, last_error: 'Refused.', attempts: 1 }, 'Failing', 'Refused.'],
  [{ last_error: 'Refused.', attempts: 1 }, 'Failing', 'Refused.'],
  [{ last_error: 'Refused.' }, 'Failing', 'Refused.'],
  [{ desired: 'frozen' }, 'Frozen', FROZEN],
  [{ desired: 'frozen', last_error: 'Refused.', attempts: 1 }, 'Failing', 'Refused.'],
  [{ desired: 'gone' }, 'Deleting', null],
  [{ desired: 'gone', ready_at: null, last_error: 'Slow.' }, 'Deleting', 'Slow.'],
])('a sandbox of %o is %s', (columns, status, statusReason) => {
  expect(sandboxView(row(columns))).toMatchObject({ status, statusReason })
})

test.each<[Partial<AzureUserRow>, string, string | null]>([
  [{}, 'Ready', null],
  [{ object_id: null }, 'Creating', null],
  [{ last_error: 'Refused.' }, 'Failing', 'Refused.'],
  [{ desired: 'gone', last_error: 'Slow.' }, 'Ending', 'Slow.'],
  [{ desired: 'gone' }, 'Ending', null],
])('a lab user of %o is %s', (columns, status, statusReason) => {
  const user = { start_at: WHEN, end_at: WHEN, desired: 'ready', last_error: null, object_id: 'theirs', ...columns }
  expect(userView(user as AzureUserRow, [])).toMatchObject({ status, statusReason, sandbox: [] })
})
