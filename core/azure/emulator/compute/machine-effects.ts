import type { AzureCloud } from '../cloud.ts'
import { type Effect, endState } from '../arm/long-operations.ts'
import type { Failure } from '../arm/operation.ts'
import { removeMachine } from './machine-delete.ts'
import type { Power } from './machines.ts'

export function machineEffects(cloud: AzureCloud): Record<string, Effect> {
  const settle = (target: string, uid: string, instant: number, failure: Failure | null): void => {
    cloud.resources.setState(target, endState(failure))
    cloud.machines.recordProvisioning(uid, instant, failure)
  }

  const setPowerEffect =
    (power: Power): Effect =>
    ({ target, uid }, instant, failure) => {
      if (failure === null) cloud.machines.setPower(uid, power, instant)
      else cloud.machines.revertPower(uid, instant)
      settle(target, uid, instant, failure)
    }

  const keepPower: Effect = ({ target, uid }, instant, failure) => settle(target, uid, instant, failure)

  return {
    'machine.created': setPowerEffect('running'),
    'machine.start': setPowerEffect('running'),
    'machine.powerOff': setPowerEffect('stopped'),
    'machine.deallocate': setPowerEffect('deallocated'),
    'machine.restart': (target, instant, failure) => {
      if (failure === null) cloud.machines.countRestart(target.uid)
      keepPower(target, instant, failure)
    },
    'machine.updated': keepPower,
    'machine.deleted': ({ target, uid }, instant, failure) => {
      if (failure === null) {
        removeMachine(cloud, cloud.resources.get(target), instant)
        return
      }
      cloud.machines.revertPower(uid, instant)
      settle(target, uid, instant, failure)
    },
  }
}
