import type { AwsUsers } from '@trainyard/sandbox-aws/server/aws-users.ts'
import type { Cloud } from '@trainyard/templates/server/cloud.ts'
import type { Identity } from '@trainyard/sandbox-azure/server/identity-provider.ts'
import type { Payments } from '@trainyard/payments/server/payments-provider.ts'
import type { SandboxGroups } from '@trainyard/sandbox-azure/server/sandbox-groups.ts'
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
