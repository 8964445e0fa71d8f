import type { AzureCloud } from '#src/azure/cloud.ts'
import type { Effect, Failure } from '#src/azure/arm/long-operations.ts'
import { removeMachine } from '#src/azure/compute/machine-delete.ts'
import type { Power } from '#src/azure/compute/machines.ts'

/** Returns the effect that the end of each command has on its machine. */
export function machineEffects(cloud: AzureCloud): Record<string, Effect> {
  const settle = (target: string, uid: string, instant: number, failure: Failure | null): void => {
    cloud.resources.setState(target, failure === null ? 'Succeeded' : 'Failed')
    cloud.machines.changed(uid, instant, failure)
  }

  const arriveAt =
    (power: Power): Effect =>
    ({ target, uid }, instant, failure) => {
      if (failure === null) cloud.machines.power(uid, power, instant)
      else cloud.machines.powerBack(uid, instant)
      settle(target, uid, instant, failure)
    }

  const stay: Effect = ({ target, uid }, instant, failure) => settle(target, uid, instant, failure)

  return {
    'machine.created': arriveAt('running'),
    'machine.start': arriveAt('running'),
    'machine.powerOff': arriveAt('stopped'),
    'machine.deallocate': arriveAt('deallocated'),
    'machine.restart': (target, instant, failure) => {
      if (failure === null) cloud.machines.restarted(target.uid)
      stay(target, instant, failure)
    },
    'machine.updated': stay,
    'machine.deleted': ({ target, uid }, instant, failure) => {
      if (failure === null) {
        removeMachine(cloud, cloud.resources.get(target), instant)
        return
      }
      cloud.machines.powerBack(uid, instant)
      settle(target, uid, instant, failure)
    },
  }
}
