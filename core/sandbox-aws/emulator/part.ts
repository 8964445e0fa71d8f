import { z } from 'zod'
import { Aws } from './aws.ts'
import { setPortalPolicy } from './iam/portal-policy.ts'
import { mountAws } from './mount.ts'
import { awsHistory, recordedAws } from './recorded-aws.ts'
import { parseInput } from '@trainyard/platform/emulator/control/parse-input.ts'
import type { Part } from '@trainyard/platform/emulator/part.ts'

const portalPolicyShape = z.strictObject({ document: z.string().nullable() })

export const awsPart: Part = {
  name: 'sandbox-aws',
  mount(emulated) {
    const { server, clock, database, options } = emulated
    const aws = new Aws(database, clock.now(), options.latency ?? 1)
    mountAws(server, { ...emulated, aws })
    server.post('/_aws/policy', (request) => {
      const read = parseInput(portalPolicyShape, request.body)
      setPortalPolicy(aws.cloud, read.document)
      return read
    })
    return {
      settle: (now) => aws.settle(now),
      longTruth: { aws: (now) => recordedAws(aws.cloud, now), awsHistory: () => awsHistory(aws.cloud) },
    }
  },
}
