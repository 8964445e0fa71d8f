import type { AzureCloud } from '#src/azure/cloud.ts'
import { noteLine } from '#src/azure/monitor/processor.ts'
import type { Clock } from '#src/clock/clock.ts'
import { type Inhabitant, startedAt } from '#src/ssh/inhabitants.ts'
import { type Computer, homeOf, makeFiles } from '#src/ssh/shell/computer.ts'
import type { Files } from '#src/ssh/shell/files.ts'

/** Disks kept in memory at once; the one longest unused is forgotten first. */
const MOST_DISKS = 500

/** The inside of machines. Disks live in this process's memory: a restart of the emulator empties them. */
export class Computers {
  readonly #cloud: AzureCloud
  readonly #clock: Clock
  readonly #disks = new Map<string, Files>()

  constructor(cloud: AzureCloud, clock: Clock) {
    this.#cloud = cloud
    this.#clock = clock
  }

  inside({ facts }: Inhabitant): Computer {
    const now = () => this.#clock.now()
    const files = this.#disks.get(facts.uid) ?? makeFiles(facts, now)
    this.#disks.delete(facts.uid)
    this.#disks.set(facts.uid, files)
    if (this.#disks.size > MOST_DISKS) this.#disks.delete(this.#disks.keys().next().value!)
    return {
      facts,
      files,
      home: homeOf(facts),
      now,
      bootedAt: () => startedAt(this.#cloud, facts.uid),
      worked: () => noteLine(this.#cloud, facts.uid, now()),
      halt: () => this.#halt(facts.uid),
    }
  }

  /** Returns true when the machine runs now, after all earlier commands took effect. */
  runs(uid: string): boolean {
    this.#cloud.operations.settle(this.#clock.now())
    return this.#cloud.machines.find(uid)?.power === 'running'
  }

  /** Changes whenever the machine has been restarted, after all earlier commands took effect. */
  restarts(uid: string): number {
    this.#cloud.operations.settle(this.#clock.now())
    return this.#cloud.machines.restarts(uid)
  }

  #halt(uid: string): void {
    const { book, machines, operations, resources } = this.#cloud
    book.transaction(() => {
      const machine = machines.get(uid)
      const now = this.#clock.now()
      if (machine.power !== 'running') return
      operations.preempt(machine.key, now)
      machines.power(uid, 'stopped', now)
      resources.setState(machine.key, 'Succeeded')
    })
  }
}
