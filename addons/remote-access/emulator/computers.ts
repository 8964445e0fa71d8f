import type { AzureCloud } from '@trainyard/azure/emulator/cloud.ts'
import { recordShellLine } from '@trainyard/azure/emulator/monitor/cpu-load.ts'
import type { Clock } from '@trainyard/platform/emulator/clock/clock.ts'
import { type ReachableMachine, startedAt } from '@trainyard/azure/emulator/network/reachable-machine.ts'
import { type Computer, homeOf, makeFiles } from './shell/computer.ts'
import type { Files } from './shell/files.ts'

/** Maximum number of disks in memory. The least recently used one is dropped first. */
const MAX_DISKS = 500

/** Emulated operating systems of all machines. Their disks are in memory, so a restart of the emulator empties them. */
export class Computers {
  readonly #cloud: AzureCloud
  readonly #clock: Clock
  readonly #disks = new Map<string, Files>()

  constructor(cloud: AzureCloud, clock: Clock) {
    this.#cloud = cloud
    this.#clock = clock
  }

  computerOf({ facts }: ReachableMachine): Computer {
    const now = () => this.#clock.now()
    const files = this.#disks.get(facts.uid) ?? makeFiles(facts, now)
    this.#disks.delete(facts.uid)
    this.#disks.set(facts.uid, files)
    if (this.#disks.size > MAX_DISKS) this.#disks.delete(this.#disks.keys().next().value!)
    return {
      facts,
      files,
      home: homeOf(facts),
      now,
      bootedAt: () => startedAt(this.#cloud, facts.uid),
      recordLine: () => recordShellLine(this.#cloud, facts.uid, now()),
      halt: () => this.#shutDown(facts.uid),
    }
  }

  isRunning(uid: string): boolean {
    this.#cloud.operations.settle(this.#clock.now())
    return this.#cloud.machines.find(uid)?.power === 'running'
  }

  restarts(uid: string): number {
    this.#cloud.operations.settle(this.#clock.now())
    return this.#cloud.machines.restarts(uid)
  }

  #shutDown(uid: string): void {
    const { database, machines, operations, resources } = this.#cloud
    database.transaction(() => {
      const machine = machines.get(uid)
      const now = this.#clock.now()
      if (machine.power !== 'running') return
      operations.preempt(machine.key, now)
      machines.setPower(uid, 'stopped', now)
      resources.setState(machine.key, 'Succeeded')
    })
  }
}
