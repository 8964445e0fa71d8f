import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { azureSandbox, sandboxUser } from '@trainyard/lab-users/contract/sandbox.ts'
import { type Paise, rupeesOfPaise } from '@trainyard/platform/contract/words/money.ts'
import type { AzureUserRow, SandboxRow } from '@trainyard/lab-users/tables.gen.ts'
import { labUserView } from '@trainyard/lab-users/server/lab-user-view.ts'

type SandboxView = ReplyOf<typeof azureSandbox.read>['sandbox'][number]
type UserView = ReplyOf<typeof sandboxUser.list>['users'][number]

const FROZEN = 'The credits are used up. Machines are stopped and access is read-only until the sandbox is deleted.'

export function sandboxView(sandbox: SandboxRow): SandboxView {
  return {
    _id: sandbox.id,
    resourceGroupName: sandbox.group_name,
    createdTime: sandbox.created_at.toISOString(),
    deleteTime: sandbox.delete_at.toISOString(),
    ...sandboxStatus(sandbox),
    notPriced: sandbox.not_priced,
  }
}

function sandboxStatus(sandbox: SandboxRow): Pick<SandboxView, 'status' | 'statusReason'> {
  const { attempts, desired, last_error, ready_at } = sandbox
  if (desired === 'gone') return { status: 'Deleting', statusReason: last_error }
  // No attempt failed: the creation is only slow.
  if (last_error !== null && attempts === 0 && ready_at === null)
    return { status: 'Creating', statusReason: last_error }
  if (last_error !== null) return { status: 'Failing', statusReason: last_error }
  if (desired === 'frozen') return { status: 'Frozen', statusReason: FROZEN }
  return { status: ready_at === null ? 'Creating' : 'Ready', statusReason: null }
}

export const sandboxCredits = (user: { readonly total_paise: Paise; readonly consumed_paise: Paise }) => ({
  total: rupeesOfPaise(user.total_paise),
  consumed: rupeesOfPaise(user.consumed_paise),
})

export function userView(user: AzureUserRow, sandboxes: readonly SandboxRow[]): UserView {
  return {
    ...labUserView(user, user.object_id !== null),
    userId: user.id,
    credits: sandboxCredits(user),
    sandbox: sandboxes.map(sandboxView),
    accessPass: accessPassState(user),
  }
}

function accessPassState({ access_pass_wanted_at, access_pass }: AzureUserRow): UserView['accessPass'] {
  if (access_pass_wanted_at !== null) return 'Requested'
  return access_pass === null ? 'None' : 'Ready'
}
