import type { AzureCloud } from '@trainyard/azure/emulator/cloud.ts'
import { keyOf } from '@trainyard/azure/emulator/arm/ids.ts'
import type { Effect } from '@trainyard/azure/emulator/arm/long-operations.ts'
import { param, paths, type Operation } from '@trainyard/azure/emulator/arm/operation.ts'
import type { Document, Resource } from '@trainyard/azure/emulator/arm/resources.ts'
import { durationOf } from '@trainyard/azure/emulator/durations.ts'
import {
  beginOperation,
  changedDocument,
  childType,
  documentOf,
  filtered,
  LAB_VERSIONS,
  labType,
  missingChild,
  newDocument,
  ok,
  propertiesOf,
  refusedAction,
  requireTracked,
  view,
} from './lab-resource.ts'

const machineType = childType('virtualMachines')

/** State of a machine while the action runs, and after it. */
const ACTIONS = {
  start: ['Starting', 'Running'],
  stop: ['Stopping', 'Stopped'],
  reimage: ['Reimaging', 'Stopped'],
  redeploy: ['Redeploying', 'Stopped'],
  resetPassword: ['ResettingPassword', 'Running'],
} as const
type Action = keyof typeof ACTIONS

export function machinesOf(cloud: AzureCloud, lab: Resource): Resource[] {
  return cloud.resources.parts(lab.key).filter(({ type }) => type === machineType)
}

/** Adds or removes learners' machines until the lab has its capacity. Machine 0 is the template. */
export function scaleMachines(cloud: AzureCloud, lab: Resource, now: number): void {
  const profile = propertiesOf(lab)['virtualMachineProfile'] as {
    createOption: string
    sku: { capacity?: number }
    adminUser: { username: string }
  }
  const desiredMachines = new Map<string, Document>()
  if (profile.createOption === 'TemplateVM') desiredMachines.set('0', { vmType: 'Template' })
  for (let number = 1; number <= (profile.sku.capacity ?? 0); number++)
    desiredMachines.set(String(number), { vmType: 'User' })
  const existing = machinesOf(cloud, lab)
  for (const machine of existing) if (!desiredMachines.has(machine.name)) cloud.resources.remove(machine.key, now)
  const names = new Set(existing.map(({ name }) => name))
  for (const [name, { vmType }] of desiredMachines) {
    if (names.has(name)) continue
    const connectionProfile = { adminUsername: profile.adminUser.username }
    cloud.resources.add(
      {
        id: `${lab.id}/virtualMachines/${name}`,
        type: machineType,
        subscription: lab.subscription,
        group: lab.group,
        parent: lab.key,
        name,
        state: 'Succeeded',
        location: lab.location,
        doc: newDocument({ state: 'Stopped', connectionProfile, vmType }, now),
      },
      now,
    )
  }
}

export function machineOperations(cloud: AzureCloud): Operation[] {
  const find = (lab: Resource, name: string): Resource | undefined =>
    cloud.resources.find(keyOf(`${lab.id}/virtualMachines/${name}`))
  const act = (action: Action): Operation => ({
    name: `LabServices_VirtualMachines_${action}`,
    method: 'POST',
    path: `${paths.child(labType, 'virtualMachines')}/${action}`,
    versions: LAB_VERSIONS,
    handle: (call) => {
      const machine = find(requireTracked(cloud, call, labType), param(call, 'child'))
      if (machine === undefined) return missingChild()
      const { state } = propertiesOf(machine)
      if (cloud.operations.findInProgress(machine.key) !== undefined) {
        return refusedAction('VirtualMachineBusy', `The virtual machine is in state '${String(state)}'.`)
      }
      setMachineState(cloud, machine, ACTIONS[action][0], call.now)
      const effect = `labServices.${action}`
      return beginOperation(cloud, call, machine, { effect, seconds: durationOf('labMachine', machine.name) })
    },
  })
  return [
    {
      name: 'LabServices_VirtualMachines_ListByLab',
      method: 'GET',
      path: paths.children(labType, 'virtualMachines'),
      versions: LAB_VERSIONS,
      handle: (call) => {
        const lab = requireTracked(cloud, call, labType)
        return ok({ value: filtered(call, machinesOf(cloud, lab)).map(view) })
      },
    },
    {
      name: 'LabServices_VirtualMachines_Get',
      method: 'GET',
      path: paths.child(labType, 'virtualMachines'),
      versions: LAB_VERSIONS,
      handle: (call) => {
        const machine = find(requireTracked(cloud, call, labType), param(call, 'child'))
        return machine === undefined ? missingChild() : ok(view(machine))
      },
    },
    ...(Object.keys(ACTIONS) as Action[]).map(act),
  ]
}

function setMachineState(cloud: AzureCloud, machine: Resource, state: string, now: number): void {
  cloud.resources.change(machine.key, { doc: changedDocument(machine, { ...propertiesOf(machine), state }, now) })
}

export function machineStateEffects(cloud: AzureCloud): Record<string, Effect> {
  const after =
    (state: string): Effect =>
    ({ target }, at, failure) => {
      const machine = cloud.resources.find(target)
      if (machine === undefined) return
      const properties = { ...propertiesOf(machine), state: failure === null ? state : 'Stopped' }
      cloud.resources.change(target, { doc: { ...documentOf(machine), ...changedDocument(machine, properties, at) } })
    }
  return Object.fromEntries(
    Object.entries(ACTIONS).map(([action, [, state]]) => [`labServices.${action}`, after(state)]),
  )
}
