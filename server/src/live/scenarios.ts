import type { AwsUsers } from '../providers/aws-users.ts'
import type { Cloud } from '../providers/cloud.ts'
import type { Identity } from '../providers/identity.ts'
import type { Payments } from '../providers/payments.ts'
import type { SandboxGroups } from '../providers/sandbox-groups.ts'
import { awsScenario } from './aws-scenario.ts'
import type { Scenario } from './scenario.ts'
import { machineScenario } from './machine-scenario.ts'
import type { ScenarioName, LiveOptions } from './options.ts'
import { paymentScenario } from './payment-scenario.ts'
import { sandboxScenario } from './sandbox-scenario.ts'

interface Dependencies {
  readonly options: LiveOptions
  readonly cloud: Cloud
  readonly groups: SandboxGroups
  readonly identity: Identity
  readonly labDomain: string | null
  readonly aws: AwsUsers | null
  readonly payments: Payments | null
  readonly pollMs: number
  readonly lag: number
  readonly logMessage: (text: string) => void
}

export function scenariosOf({ options, ...parts }: Dependencies): Scenario[] {
  const { location, image, only } = options
  const all: Readonly<Record<ScenarioName, Scenario>> = {
    machine: machineScenario({ ...parts, location, image }),
    sandbox: sandboxScenario({ ...parts, location, image }),
    aws: awsScenario(parts),
    payment: paymentScenario(parts),
  }
  return Object.entries(all).flatMap(([name, scenario]) =>
    only?.includes(name as ScenarioName) === false ? [] : [scenario],
  )
}
