import type { AwsUsers } from '../providers/aws-users.ts'
import type { Cloud } from '../providers/cloud.ts'
import type { Identity } from '../providers/identity.ts'
import type { Payments } from '../providers/payments.ts'
import type { SandboxGroups } from '../providers/sandbox-groups.ts'
import { awsLife } from './aws-life.ts'
import type { Life } from './life.ts'
import { machineLife } from './machine-life.ts'
import type { LifeName, LiveOptions } from './options.ts'
import { paymentLife } from './payment-life.ts'
import { sandboxLife } from './sandbox-life.ts'

interface Parts {
  readonly options: LiveOptions
  readonly cloud: Cloud
  readonly groups: SandboxGroups
  readonly identity: Identity
  readonly labDomain: string | null
  readonly aws: AwsUsers | null
  readonly payments: Payments | null
  readonly pollMs: number
  readonly lag: number
  readonly say: (text: string) => void
}

/** Returns the requested scenarios. */
export function livesOf({ options, ...parts }: Parts): Life[] {
  const { location, image, only } = options
  const all: Readonly<Record<LifeName, Life>> = {
    machine: machineLife({ ...parts, location, image }),
    sandbox: sandboxLife({ ...parts, location, image }),
    aws: awsLife(parts),
    payment: paymentLife(parts),
  }
  return Object.entries(all).flatMap(([name, life]) => (only?.includes(name as LifeName) === false ? [] : [life]))
}
