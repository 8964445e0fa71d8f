import { organization, portalKey } from '@trainyard/emulator/aws/cloud.ts'
import type { AwsUsers } from '../aws-users.ts'
import { awsUsers } from './users.ts'
import type { Wire } from './wire.ts'

/** The real adapter, turned to an emulator. */
export function testAwsUsers(endpoint: string, http?: (wire: Wire) => Wire, timeLimit = 15_000): AwsUsers {
  return awsUsers({
    credentials: portalKey,
    region: 'us-east-1',
    endpoint,
    role: 'OrganizationAccountAccessRole',
    labPolicy: 'arn:aws:iam::aws:policy/PowerUserAccess',
    units: { lab: organization.labs, cleanup: organization.cleanup },
    timeLimit,
    ...(http === undefined ? {} : { http }),
  })
}
