import { randomUUID } from 'node:crypto'
import { makePassword } from '@trainyard/machines/server/credentials.ts'
import { ALLOWED_SIZES, paisePerHour } from '@trainyard/sandbox-azure/server/azure/prices.ts'
import type { Cloud } from '@trainyard/templates/server/cloud.ts'
import type { Identity } from '@trainyard/sandbox-azure/server/identity-provider.ts'
import type { SandboxGroups, SandboxResource } from '@trainyard/sandbox-azure/server/sandbox-groups.ts'
import { removeGroup, removeUser } from './clean-up.ts'
import { costOf } from './cost.ts'
import { type Scenario, ScenarioError, type ScenarioContext } from './scenario.ts'
import { scenarioMachine } from './scenario-machine.ts'
import { until, retryUntilAccepted } from './polling.ts'
import { type ImageName, cheapestSize } from './cheapest-size.ts'

export interface SandboxScenarioOptions {
  readonly cloud: Cloud
  readonly groups: SandboxGroups
  readonly identity: Identity
  readonly labDomain: string | null
  readonly location: string
  readonly image: ImageName
  readonly pollMs: number
  readonly lag: number
}

const HOURS = 1

export function sandboxScenario(options: SandboxScenarioOptions): Scenario {
  const { cloud, groups, identity, labDomain, location, image, pollMs, lag } = options
  return {
    name: 'An Azure lab user with a sandbox',
    maxCost: costOf(HOURS),
    limitMs: HOURS * 3_600_000,
    skipReason: labDomain === null ? 'AZURE_LAB_DOMAIN is not set: there are no Azure lab users.' : null,
    async run({ signal, journal, step }: ScenarioContext) {
      const polling = { signal, pollMs, lag }
      const id = randomUUID()
      const suffix = id.slice(-12)
      const user = { id, signInName: `live-${suffix}@${labDomain}` }
      const ref = { id, group: `${suffix}-live-sandbox` }

      journal.recordBeforeCreate({ kind: 'directoryUser', ...user })
      const since = Date.now()
      const { objectId } = await step('user', () => {
        const names = { displayName: 'Trainyard live', personalEmail: `live@${labDomain}` }
        return retryUntilAccepted('the user', polling, () =>
          identity.createUser({ ...user, ...names, firstPassword: makePassword() }, signal),
        )
      })
      journal.recordBeforeCreate({ kind: 'group', ...ref })
      await step('sandbox, limited and opened', async () => {
        const endsAt = new Date(Date.now() + HOURS * 3_600_000)
        await retryUntilAccepted('the group', polling, () =>
          groups.createGroup({ ...ref, location, user: user.signInName, endsAt }, signal),
        )
        await retryUntilAccepted('its sizes', polling, () => groups.limitSizes(ref, ALLOWED_SIZES, signal))
        await retryUntilAccepted('its access', polling, () =>
          groups.setAccess(ref, { level: 'full', objectId }, signal),
        )
      })
      const machineIs = (billed: boolean) =>
        until(`the machine was ${billed ? 'billed' : 'not billed'}`, polling, async () => {
          const resources = (await groups.listResources(ref, signal)) ?? []
          return resources.find((each) => each.kind === 'machine' && each.billed === billed) ?? null
        })
      await step('a machine in it, metered', async () => {
        const size = await cheapestSize(cloud, location, signal)
        const spec = scenarioMachine({ name: 'live-1', group: ref.group, location, size }, image)
        await retryUntilAccepted('the machine', polling, () => cloud.createMachine(spec, signal))
        assertPriced(await machineIs(true))
      })
      await step('frozen: read only, and the machine stopped', async () => {
        await retryUntilAccepted('its access', polling, () =>
          groups.setAccess(ref, { level: 'read', objectId }, signal),
        )
        await retryUntilAccepted('stopping', polling, () => groups.stopMachine(ref, 'live-1', signal))
        await machineIs(false)
      })
      await step('sandbox and user deleted', async () => {
        await retryUntilAccepted('its access', polling, () => groups.setAccess(ref, { level: 'none' }, signal))
        await removeGroup(ref, groups, polling)
        journal.recordDeleted({ kind: 'group', ...ref })
        await removeUser(user, identity, since, polling)
        journal.recordDeleted({ kind: 'directoryUser', ...user })
      })
    },
  }
}

function assertPriced(machine: SandboxResource): void {
  if ((paisePerHour(machine) ?? 0) <= 0) throw new ScenarioError(`A running machine is not charged: ${machine.name}.`)
}
