import { randomUUID } from 'node:crypto'
import { paise } from '@trainyard/platform/contract/words/money.ts'
import type { Accepted, Cloud, MachineSpec } from '@trainyard/templates/server/cloud.ts'
import type { SandboxGroups } from '@trainyard/sandbox-azure/server/sandbox-groups.ts'
import { costOf } from './cost.ts'
import { ScenarioError, type Scenario, type ScenarioContext } from './scenario.ts'
import { scenarioMachine } from './scenario-machine.ts'
import { until, retryUntilAccepted } from './polling.ts'
import { type ImageName, cheapestSize } from './cheapest-size.ts'

export interface MachineScenarioOptions {
  readonly cloud: Cloud
  readonly groups: SandboxGroups
  readonly location: string
  readonly image: ImageName
  readonly pollMs: number
}

const HOURS = 2
const PORT = { port: 8080, priority: 1001 }

export function machineScenario({ cloud, groups, location, image, pollMs }: MachineScenarioOptions): Scenario {
  return {
    name: 'A lab machine at Azure',
    maxCost: paise(2 * costOf(HOURS)),
    limitMs: HOURS * 3_600_000,
    skipReason: null,
    async run({ signal, journal, step }: ScenarioContext) {
      const id = randomUUID()
      const group = `trainyard-live-${id.slice(-12)}`
      const polling = { signal, pollMs }
      /**
       * Waits until the provider reports the state. Ignores observations from before the request was accepted, because
       * they may still show the old state.
       */
      const waitForState = (spec: MachineSpec, to: 'running' | 'stopped', { at: acceptedAt }: Accepted) =>
        until(`${spec.name} was ${to}`, polling, async () => {
          const { seen, address } = await cloud.getMachine(spec, signal)
          if (seen.state === 'failed') throw new ScenarioError(`${spec.name} failed: ${seen.reason}`)
          if (seen.state !== to || (seen.since !== null && seen.since < acceptedAt)) return null
          if (seen.failure !== undefined) throw new ScenarioError(`${spec.name} failed: ${seen.failure}`)
          return { address }
        })

      const size = await step('find the smallest available size', () => cheapestSize(cloud, location, signal))
      const at = { group, location, size }
      const spec = scenarioMachine({ ...at, name: 'live-1' }, image)
      const copy = scenarioMachine({ ...at, name: 'live-2' }, image)

      journal.recordBeforeCreate({ kind: 'group', id, group })
      const endsAt = new Date(Date.now() + HOURS * 3_600_000)
      await step('group', () =>
        retryUntilAccepted('the group', polling, () =>
          groups.createGroup({ id, group, location, user: 'npm run live', endsAt }, signal),
        ),
      )
      await step('create', async () => {
        const accepted = await retryUntilAccepted('the machine', polling, () => cloud.createMachine(spec, signal))
        const { address } = await waitForState(spec, 'running', accepted)
        if (address === null) throw new ScenarioError('The machine runs without a public address.')
      })
      await step('ports', async () => {
        const ref = { place: spec.place, name: spec.securityGroup }
        for (const ports of [[PORT], []]) {
          await until('the ports were set', polling, async () =>
            (await cloud.updateRules(ref, { ports }, signal)) === 'held' ? true : null,
          )
        }
      })
      await step('stop', async () => {
        const accepted = await retryUntilAccepted('stopping', polling, () => cloud.stopMachine(spec, signal))
        await waitForState(spec, 'stopped', accepted)
      })
      await step('start', async () => {
        const accepted = await retryUntilAccepted('starting', polling, () => cloud.startMachine(spec, signal))
        await waitForState(spec, 'running', accepted)
      })
      await step('restart', async () => {
        const accepted = await retryUntilAccepted('restarting', polling, () => cloud.restartMachine(spec, signal))
        await waitForState(spec, 'running', accepted)
      })
      const captured = await step('capture', async () => {
        const accepted = await retryUntilAccepted('stopping', polling, () => cloud.stopMachine(spec, signal))
        await waitForState(spec, 'stopped', accepted)
        return until('the image was ready', polling, async () => {
          const capture = await cloud.captureMachine({ ...spec, id: copy.id }, signal)
          if (capture.state === 'failed') throw new ScenarioError(`The image failed: ${capture.reason}`)
          return capture.state === 'ready' ? capture : null
        })
      })
      await step('create a machine from the captured image, with its own password', async () => {
        const made: MachineSpec = { ...copy, image: { id: captured.id } }
        const accepted = await retryUntilAccepted('the machine', polling, () => cloud.createMachine(made, signal))
        await waitForState(copy, 'running', accepted)
        const account = { ...copy, username: copy.adminUsername, password: copy.adminPassword, passwordNumber: 1 }
        await until('its password was set', polling, async () =>
          (await cloud.setPassword(account, signal)) === 'set' ? true : null,
        )
      })
      await step('delete all resources', async () => {
        for (const each of [copy, spec]) {
          await until(`${each.name} was deleted`, polling, async () =>
            (await cloud.deleteMachine({ ...each, firstSeenAt: null, isKnownToExist: false }, signal)).remaining ===
            'nothing'
              ? true
              : null,
          )
        }
        await until('the image was deleted', polling, async () =>
          (await cloud.deleteImage({ ...spec, id: copy.id }, signal)).remaining === 'nothing' ? true : null,
        )
        const left = (await groups.listResources({ id, group }, signal)) ?? []
        const billed = left.filter(({ kind }) => kind !== 'other').map(({ kind, name }) => `${kind} ${name}`)
        if (billed.length > 0) throw new ScenarioError(`Left behind and billed: ${billed.join(', ')}.`)
      })
    },
  }
}
